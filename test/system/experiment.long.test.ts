import { expect, test } from 'vitest'
import { experiments } from '../../src/evaluation/index.ts'
import { checkFirstLook, isLong, results } from '../support/experiment-run.ts'

const written = results()
const names = experiments.map(({ name }) => name).filter(isLong)

test('there are some', () => expect(names.length).toBeGreaterThan(5))

test.each(names)('%s prints a table and leaves a picture and its numbers', (name) => checkFirstLook(name, written))
