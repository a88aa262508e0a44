// Colours of what charts show. A name has the same colour on every page and whatever its rank is:
// those of models are fixed, all others follow from the name.

const count = 12; // --s1 to --s12 in tokens.css

const families: [RegExp, number][] = [
  [/opus/, 1],
  [/sonnet/, 2],
  [/haiku/, 4],
];

/** colorOf is the colour of a project, a session or anything else with a name that stays. */
export function colorOf(name: string): string {
  return `var(--s${(hash(name) % count) + 1})`;
}

/** colorOfModel is the colour of a model's family. */
export function colorOfModel(model: string): string {
  const known = families.find(([sign]) => sign.test(model));
  return known ? `var(--s${known[1]})` : colorOf(model);
}

/** colorsOf are the colours of a chart. On a clash the later name gets the next free one. */
export function colorsOf(names: readonly string[], color = colorOf): Map<string, string> {
  const taken = new Set<string>();
  const colors = new Map<string, string>();
  for (const name of [...names].sort()) {
    let own = color(name);
    for (let i = 0; taken.has(own) && i < count; i++) own = next(own);
    taken.add(own);
    colors.set(name, own);
  }
  return colors;
}

function next(color: string): string {
  const n = Number(/\d+/.exec(color)?.[0] ?? 0);
  return `var(--s${(n % count) + 1})`;
}

/** hash is FNV-1a: short, and the same in every browser. */
function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return h;
}
