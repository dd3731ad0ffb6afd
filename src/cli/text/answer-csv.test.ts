import { expect, test } from 'vitest'
import type { Answer, Estimate, ModelAnswer } from '../../index.ts'
import { answerCsv, modelCsv } from './answer-csv.ts'

const estimate = (value: number | null, within: number | null): Estimate => ({
  estimate: value,
  interval: value === null || within === null ? [null, null] : [value - within, value + within],
  within,
})
const csvOf = (answer: object) => [...answerCsv(answer as Answer)]

test('one number is a line of three', () => {
  expect(csvOf({ name: 'count', ...estimate(1.5, 0.25) })).toEqual(['count,count_low,count_high', '1.5,1.25,1.75'])
})

test('groups are lines; names are told apart, texts quoted, and what is unknown is empty', () => {
  const groups = [
    { key: { 'a,b': 'say "hi"', born: null }, ...estimate(3, 1) },
    { key: { 'a,b': '', born: 1990 }, ...estimate(-164, null) },
    { key: { 'a,b': 'NULL', born: 1991 }, ...estimate(null, null) },
  ]
  const column = { name: 'count', groups }
  expect(csvOf({ keys: ['a,b', 'born'], answers: [column, column] })).toEqual([
    '"a,b",born,count,count_low,count_high,count_2,count_low_2,count_high_2',
    '"say ""hi""",,3,2,4,3,2,4',
    '"",1990,,,,,,',
    'NULL,1991,,,,,,',
  ])
})

test('a claim has a column', () => {
  const one = { name: 'sum', ...estimate(3, 1), probability: 0.75 }
  expect(csvOf(one)).toEqual(['sum,sum_low,sum_high,sum_probability', '3,2,4,0.75'])
})

test('a model’s answer has its own error, where it tells one, and no interval', () => {
  const modelOf = (answer: object) => [...modelCsv(answer as ModelAnswer)]
  expect(modelOf({ name: 'count', estimate: 3.5 })).toEqual(['count', '3.5'])
  const groups = [
    { key: { sex: 'Female' }, estimate: 3, error: 0.5 },
    { key: { sex: null }, estimate: null },
  ]
  expect(modelOf({ keys: ['sex'], name: 'avg', groups })).toEqual(['sex,avg,avg_error', 'Female,3,0.5', ',,'])
})
