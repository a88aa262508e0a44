import type { FeedRow } from './rows';

/** View is a feed as its page moves it. Rows are named by their keys. */
export interface View {
  /** first and last are the rows at the top and the end of the screen. */
  first(): string;
  last(): string;
  /** to scrolls to a row, y pixels below the top of the screen. */
  to(key: string, y?: number): void;
  /** into scrolls as little as it takes to show a row. */
  into(key: string): void;
  toTop(): void;
  toEnd(): void;
  /** beside is the next loaded row before or after one that is wanted. */
  beside(key: string, by: 1 | -1, want: (r: FeedRow) => boolean): string | undefined;
  focus(key: string): void;
  /** within is the first of some ranges that is inside a row. */
  within(key: string, ranges: () => Range[]): Range | undefined;
  /** bring scrolls to a range inside a row. */
  bring(range: Range): void;
}
