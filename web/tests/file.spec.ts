// A file over all sessions: who changed it, what each change did, who wrote each line, and the
// way back to an earlier version.

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { missing } from './browser';
import { serve, type Server } from './server';
import { enter, expect, open, shoot, test as base, violations } from './world';

const test = base.extend<{ changed: Server }>({
  changed: async ({ page }, use) => {
    test.skip(missing !== '', missing);
    const server = await serve(home);
    await use(server);
    await page.goto('about:blank');
    await server.stop();
  },
});

const session = '5f0c0a10-0000-4000-8000-000000000001';
const first = 'package list\n\nfunc Len() int {\n\treturn 0\n}\n';
const second = first.replace('return 0', 'return count');
const third = second.replace('func Len', '// Len counts the items.\nfunc Len');

/** home is one whose project lies beside it, with a file that two prompts changed. */
async function home(claude: string): Promise<void> {
  const cwd = join(dirname(claude), 'list');
  const file = join(cwd, 'list.go');
  const other = join(cwd, 'old', 'list.go');
  await mkdir(cwd, { recursive: true });
  await writeFile(file, third);
  const dir = join(claude, 'projects', cwd.replace(/[^a-zA-Z0-9]/g, '-'));
  await mkdir(dir, { recursive: true });
  let n = 0;
  let parentUuid: string | null = null;
  const lines: object[] = [];
  const line = (type: string, message: object, more: object = {}): void => {
    const uuid = `5f0c0a11-0000-4000-8000-${String(++n).padStart(12, '0')}`;
    const timestamp = new Date(Date.UTC(2026, 9, 2, 8, n)).toISOString();
    const same = { cwd, sessionId: session, version: '2.1.300', isSidechain: false };
    lines.push({ ...same, type, uuid, parentUuid, timestamp, message, ...more });
    parentUuid = uuid;
  };
  const call = (name: string, input: object, result: object, path = file): void => {
    const id = `toolu_${n}`;
    const use = { type: 'tool_use', id, name, input: { file_path: path, ...input } };
    const usage = { input_tokens: 5, output_tokens: 7 };
    const model = 'claude-opus-5-5';
    line('assistant', { id: `msg_${n}`, role: 'assistant', model, content: [use], usage });
    const done = { type: 'tool_result', tool_use_id: id, content: 'done' };
    line(
      'user',
      { role: 'user', content: [done] },
      { toolUseResult: { filePath: path, ...result } },
    );
  };
  const edit = (before: string, oldString: string, newString: string): void =>
    call(
      'Edit',
      { old_string: oldString, new_string: newString },
      { oldString, newString, originalFile: before, structuredPatch: [] },
    );
  line('user', { role: 'user', content: 'Write a list that knows its length' });
  call('Write', { content: first }, { type: 'create', content: first, structuredPatch: [] });
  edit(first, 'return 0', 'return count');
  call('Write', { content: first }, { type: 'create', content: first, structuredPatch: [] }, other);
  line('user', { role: 'user', content: 'Say what Len is for' });
  edit(second, 'func Len', '// Len counts the items.\nfunc Len');
  const text = lines.map((l) => JSON.stringify(l)).join('\n');
  await writeFile(join(dir, `${session}.jsonl`), `${text}\n`);
}

test('a file has its changes, its authors, and its earlier versions @short', async ({
  page,
  changed,
}) => {
  const file = join(changed.home, 'list', 'list.go');
  await enter(page, changed);
  await open(page, changed, `/s/${session}/files`);
  await page.getByRole('link', { name: 'History of this file' }).first().click();
  const list = page.getByRole('list', { name: 'Changes' });
  await expect(list.getByRole('listitem')).toHaveCount(3);
  await expect(page.locator('.add').filter({ hasText: '// Len counts' })).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await shoot(page, 'file-diff');

  await page.keyboard.press('j');
  await expect(page.locator('.add').filter({ hasText: 'return count' })).toBeVisible();
  await expect(page).toHaveURL(/change=/);
  await page.getByRole('button', { name: 'blame' }).click();
  const written = page.getByRole('row').filter({ hasText: 'return count' });
  await expect(written.getByRole('link')).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await shoot(page, 'file-blame');

  await page.getByRole('button', { name: 'Restore this version…' }).click();
  const plan = page.getByRole('dialog', { name: 'Restore this version' });
  await expect(plan.locator('.del').filter({ hasText: '// Len counts' })).toBeVisible();
  expect(await violations(page)).toEqual([]);
  expect(await readFile(file, 'utf8')).toBe(third);
  await plan.getByRole('button', { name: 'Restore', exact: true }).click();
  await expect(page.getByText('Restored the file.')).toBeVisible();
  expect(await readFile(file, 'utf8')).toBe(second);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Undone.')).toBeVisible();
  expect(await readFile(file, 'utf8')).toBe(third);
});

test('a part of a name finds a file, and the end of a path can mean several @short', async ({
  page,
  changed,
}) => {
  await enter(page, changed);
  await open(page, changed, '/file?path=list.go');
  await expect(page.getByRole('heading', { name: '2 files end with list.go' })).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Session, page or command' }).fill('old/li');
  await page.getByRole('option', { name: /old\/list\.go/ }).click();
  await expect(page.getByRole('heading', { name: 'list.go', exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Go to message' }).click();
  await expect(page).toHaveURL(/\/s\/5f0c0a10.*#m-/);
});
