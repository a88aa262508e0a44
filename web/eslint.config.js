import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';
import config from './svelte.config.js';

export default ts.config(
  { ignores: ['node_modules', 'src/api/schema.d.ts', 'test-results', 'shots'] },
  js.configs.recommended,
  ...ts.configs.strict,
  ...svelte.configs.recommended,
  { languageOptions: { globals: { ...globals.browser, ...globals.node } } },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig: config } },
  },
  {
    rules: {
      // Content is never HTML.
      'svelte/no-at-html-tags': 'error',
      'no-restricted-properties': [
        'error',
        { property: 'innerHTML', message: 'content is never HTML' },
        { property: 'outerHTML', message: 'content is never HTML' },
        { property: 'insertAdjacentHTML', message: 'content is never HTML' },
      ],
      // What is rebuilt as a whole when it changes needs no reactive collection.
      'svelte/prefer-svelte-reactivity': 'off',
      // Our links go through lib/router, which knows the base.
      'svelte/no-navigation-without-resolve': 'off',
    },
  },
);
