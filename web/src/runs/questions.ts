// The questions in what AskUserQuestion gets.

export interface Question {
  text: string;
  options: { label: string; about: string }[];
}

/** questionsOf reads them; what is not as expected is left out, and can be denied. */
export function questionsOf(input: unknown): Question[] {
  const list = (input as { questions?: unknown } | null)?.questions;
  if (!Array.isArray(list)) return [];
  return list.flatMap((q: unknown) => {
    const { question, options } = (q ?? {}) as Record<string, unknown>;
    if (typeof question !== 'string') return [];
    return [{ text: question, options: Array.isArray(options) ? options.flatMap(optionOf) : [] }];
  });
}

function optionOf(o: unknown): Question['options'] {
  const { label, description } = (o ?? {}) as Record<string, unknown>;
  if (typeof label !== 'string') return [];
  return [{ label, about: typeof description === 'string' ? description : '' }];
}
