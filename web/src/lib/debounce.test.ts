import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Debounce } from './debounce';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('soon runs the first call, and runs again in a steady stream', () => {
  const debounce = new Debounce(100);
  const ran: number[] = [];
  for (let i = 0; i < 30; i++) {
    debounce.soon(() => ran.push(i));
    vi.advanceTimersByTime(10);
  }
  expect(ran).toEqual([0, 10, 20]);
});

test('idle runs the last call, once the calls stop', () => {
  const debounce = new Debounce(100);
  const ran: number[] = [];
  for (let i = 0; i < 30; i++) {
    debounce.idle(() => ran.push(i));
    vi.advanceTimersByTime(10);
  }
  expect(ran).toEqual([]);
  vi.advanceTimersByTime(100);
  expect(ran).toEqual([29]);
});

test('a call may wait for another time', () => {
  const debounce = new Debounce(100);
  const run = vi.fn();
  debounce.soon(run, 10);
  vi.advanceTimersByTime(10);
  expect(run).toHaveBeenCalledOnce();
});

test('cancel drops the run, and the next call starts again', () => {
  const debounce = new Debounce(100);
  const run = vi.fn();
  debounce.soon(run);
  debounce.cancel();
  vi.advanceTimersByTime(1000);
  expect(run).not.toHaveBeenCalled();
  debounce.soon(run);
  vi.advanceTimersByTime(100);
  expect(run).toHaveBeenCalledOnce();
});
