import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

// The files go where the server embeds them, and are committed: who builds the
// program needs no Node.
export default defineConfig({
  base: '/ui/',
  plugins: [svelte()],
  build: {
    outDir: '../internal/web/dist',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    sourcemap: false,
  },
  server: { proxy: { '/api': 'http://127.0.0.1:7717' } },
  test: { environment: 'happy-dom', include: ['src/**/*.test.ts'] },
});
