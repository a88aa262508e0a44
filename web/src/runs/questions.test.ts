import { expect, test } from 'vitest';
import { answersOf, toggled, type Asked, type Draft } from './questions';

const none: Draft = { picked: [], own: '' };
const options = ['red', 'green', 'blue'].map((label) => ({ label }));
const one: Asked = { question: 'Which colour?', options };
const several: Asked = { question: 'Which sizes?', multiSelect: true, options };

test('every question needs an answer', () => {
  expect(answersOf([], [])).toBeUndefined();
  expect(answersOf([one, several], [toggled(one, none, 'red')])).toBeUndefined();
  expect(answersOf([one, several], [toggled(one, none, 'red'), { ...none, own: ' xl ' }])).toEqual({
    'Which colour?': 'red',
    'Which sizes?': 'xl',
  });
});

test('one question takes one option, or the user’s own words instead', () => {
  const red = toggled(one, none, 'red');
  expect(answersOf([one], [toggled(one, red, 'blue')])).toEqual({ 'Which colour?': 'blue' });
  expect(answersOf([one], [{ ...red, own: 'pink' }])).toEqual({ 'Which colour?': 'pink' });
});

test('several options are joined in their order, before the user’s own words', () => {
  const two = toggled(several, toggled(several, none, 'blue'), 'red');
  expect(answersOf([several], [{ ...two, own: 'xl' }])).toEqual({
    'Which sizes?': 'red, blue, xl',
  });
  expect(answersOf([several], [toggled(several, two, 'blue')])).toEqual({ 'Which sizes?': 'red' });
});
