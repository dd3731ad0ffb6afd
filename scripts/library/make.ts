// Writes docs/library.md: node scripts/library/make.ts
import { writeFileSync } from 'node:fs'
import { libraryPage } from './page.ts'

writeFileSync(new URL('../../docs/library.md', import.meta.url), libraryPage())
