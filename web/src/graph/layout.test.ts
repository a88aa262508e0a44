import { expect, test } from 'vitest';
import { layout, type Row, type Turn } from './layout';

// turns are written id<parent; a capital letter is a prompt, a star the active way.
function turns(text: string): Turn[] {
  return text.split(' ').map((word) => {
    const [, id, parent, star] = /^(\w+)(?:<(\w+))?(\*?)$/.exec(word) ?? [];
    const turn: Turn = { id: id ?? '', role: /^[A-Z]/.test(id ?? '') ? 'prompt' : 'answer' };
    if (parent) turn.parentId = parent;
    if (star) turn.active = true;
    return turn;
  });
}

const drawn = (rows: Row[]): string =>
  rows
    .map(
      (r) => '| '.repeat(r.lane) + (r.here ? '*' : 'o') + ' ' + r.turns.map((t) => t.id).join(' '),
    )
    .join('\n');

test('a conversation without forks is one lane', () => {
  expect(drawn(layout(turns('A* b<A* c<b* D<c* e<D*')))).toBe('* A b c\n* D e');
});

test('a branch is drawn below the turn it leaves, before the main path continues', () => {
  expect(drawn(layout(turns('A* b<A* C<b d<C E<d f<E G<b* h<G*')))).toBe(
    '* A b\n| o C d\n| o E f\n* G h',
  );
});

test('a retry is a branch of answers', () => {
  expect(drawn(layout(turns('A* b<A c<A*')))).toBe('* A\n| o b\n* c');
});

test('a session that was forked from the last turn has a row of its own', () => {
  const list = turns('A* b<A* s2<b');
  expect(drawn(layout(list))).toBe('* A b s2');
  (list[2] as Turn).role = 'session';
  expect(drawn(layout(list))).toBe('* A b\no s2');
});

test('branches of branches go further to the right, and lanes are used again', () => {
  const text = 'A* B<A C<B D<B E<A F<A* G<F H<F*';
  expect(drawn(layout(turns(text)))).toBe('* A\n| o B\n| | o C\n| o D\n| o E\n* F\n| o G\n* H');
});

test('another way that is read has lane 0', () => {
  expect(drawn(layout(turns('A* B<A C<A*'), 'B'))).toBe('* A\n| o C\n* B');
});

test('a turn without a parent is a root, and a loop is cut', () => {
  const rows = layout(turns('A* B<gone C<D D<C e<A*'));
  expect(rows.flatMap((r) => r.turns.map((t) => t.id)).sort()).toEqual(['A', 'B', 'C', 'D', 'e']);
  expect(rows.find((r) => r.id === 'B')?.broken).toBe(true);
});

test('every turn has one place, its parent is above it, and the lanes between are free', () => {
  let seed = 3;
  const random = (n: number): number => (seed = (seed * 1103515245 + 12345) % 2147483648) % n;
  for (let round = 0; round < 60; round++) {
    const list: Turn[] = [];
    for (let i = 0; i < 80; i++) {
      const turn: Turn = { id: `t${i}`, role: random(3) === 0 ? 'prompt' : 'answer' };
      if (i > 0 && random(30) > 0)
        turn.parentId = `t${Math.max(0, i - 1 - random(random(5) === 0 ? 20 : 2))}`;
      list.push(turn);
    }
    const rows = layout(list, `t${random(80)}`);
    const place = new Map<string, number>();
    rows.forEach((r, i) => r.turns.forEach((t) => place.set(t.id, i)));
    expect(place.size).toBe(80);
    rows.forEach((r, i) => {
      const first = r.turns[0] as Turn;
      if (!first.parentId) return expect(r.from).toBeUndefined();
      const above = place.get(first.parentId) as number;
      expect(above).toBeLessThan(i);
      expect(rows[above]?.lane).toBe(r.from);
      // Between them every row is further to the right than the lane they share.
      for (let k = above + 1; k < i; k++) expect(rows[k]?.lane).toBeGreaterThan(r.from as number);
    });
    expect(rows.filter((r) => r.here).every((r) => r.lane === 0)).toBe(true);
  }
});

test('10,000 turns take no more than 50 ms', () => {
  const list: Turn[] = [{ id: 't0', role: 'prompt' }];
  for (let i = 1; i < 10_000; i++) {
    const back = i % 17 === 0 ? Math.min(i, 40) : 1;
    list.push({ id: `t${i}`, parentId: `t${i - back}`, role: i % 4 === 0 ? 'prompt' : 'answer' });
  }
  layout(list, 't9999'); // once to warm up
  // Time of this process alone: others may have the machine meanwhile.
  let best = Infinity;
  for (let round = 0; round < 10; round++) {
    const begun = process.cpuUsage();
    layout(list, 't9999');
    best = Math.min(best, process.cpuUsage(begun).user / 1000);
  }
  expect(best).toBeLessThan(50);
});
