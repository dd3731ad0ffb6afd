import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { libraryPage } from '../../scripts/library/page.ts'

test('the page about the library is what the declarations and examples make; `node scripts/library/make.ts` writes it', () => {
  expect(readFileSync(new URL('../../docs/library.md', import.meta.url), 'utf8')).toBe(libraryPage())
})
