// Colours of what charts show. A name has the same colour on every page and whatever its rank is:
// those of models are fixed, all others follow from the name.

const count = 12; // --s1 to --s12 in tokens.css

/** families are the models by name, with the colours of their current and of older versions. */
const families: [sign: RegExp, current: number, older: number][] = [
  [/opus/, 1, 10],
  [/sonnet/, 2, 6],
  [/haiku/, 4, 11],
];
const current = 5; // the version from which a model has the colour of its family

/** colorOf is the colour of a project, a session or anything else with a name that stays. */
export function colorOf(name: string): string {
  return `var(--s${(hash(name) % count) + 1})`;
}

/** colorOfModel is the colour of a model's family, or that of the family's older versions. */
export function colorOfModel(model: string): string {
  const known = families.find(([sign]) => sign.test(model));
  if (!known) return colorOf(model);
  const version = Number(/(?:opus|sonnet|haiku)-(\d{1,2})(?!\d)/.exec(model)?.[1] ?? 0);
  return `var(--s${version >= current ? known[1] : known[2]})`;
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
