import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { countAll, marginal } from '../../../query/index.ts'
import { attribute, universe } from '../../../schema/index.ts'
import { open } from '../../exact/open.ts'
import { openEngine } from '../index.ts'
import { toUtf8 } from './encoding.ts'
import { firstRecord, readHeader } from './text-header.ts'
import { scanText } from './text-scan.ts'

const folder = mkdtempSync(join(tmpdir(), 'reticent-text-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let number = 0
const file = (content: string | Uint8Array, ending = 'csv') => {
  const path = join(folder, `${number++}.${ending}`)
  writeFileSync(path, content)
  return path
}
const u = universe([
  attribute({ kind: 'integer', name: 'n', low: 0, high: 3, closed: false }),
  attribute({
    kind: 'values',
    name: 'word',
    values: ['x', 'a\nb', 'ö', 'say "hi"', 'a,b'],
    other: true,
    closed: false,
  }),
])
const setting = { universe: u, unit: { kind: 'row' }, key: new Uint8Array(32) } as const

const fileAt = (path: string) => ({ path, real: path })
/** The records as the engine counts them: how many, by n (0 … 3, NULL), by word (five listed, other, NULL). */
async function counts(path: string) {
  const engine = await openEngine({ source: { kind: 'duckdb', path }, ...setting })
  try {
    const answers = await (await engine.snapshot()).answer([countAll, marginal(['n']), marginal(['word'])])
    return answers.map((a) => [...(open(a) as Float64Array)])
  } finally {
    await engine.close()
  }
}
async function fullPrint(path: string, sql?: string) {
  const engine = await openEngine({ source: { kind: 'duckdb', path, sql }, ...setting })
  try {
    return await (await engine.snapshot()).full()
  } finally {
    await engine.close()
  }
}

const right = [[3], [0, 1, 1, 0, 1], [1, 1, 0, 0, 0, 0, 1]]
describe('a text file is read', () => {
  const plain = 'n,word\n1,x\n2,"a\nb"\n,""\n'
  const cases: { [name: string]: [string | Uint8Array, string?] } = {
    'with LF': [plain],
    'with CRLF': [plain.replaceAll('\n', '\r\n').replace('a\r\nb', 'a\nb')],
    'with both': ['n,word\r\n1,x\n2,"a\nb"\r\n,""\n'],
    'with CR': ['n,word\r1,x\r2,"a\nb"\r,""\r'],
    'with a BOM': [`\uFEFF${plain}`],
    'without a last line end': ['n,word\n1,x\n2,"a\nb"\n,""'],
    'with its columns in another order, among others': ['z,word,n\n,x,1\n5,"a\nb",2\n,,\n'],
    'with semicolons': ['n;word\n1;x\n2;"a\nb"\n;""\n'],
    'with tabs': ['n\tword\n1\tx\n2\t"a\nb"\n\t""\n', 'tsv'],
    'with quoted names and other case': ['"N","Word"\n1,x\n2,"a\nb"\n,""\n'],
    'with empty lines': ['n,word\n\n1,x\n2,"a\nb"\n\n\n,""\n\n'],
    compressed: [gzipSync(plain), 'csv.gz'],
  }
  for (const [name, [content, ending]] of Object.entries(cases)) {
    test(name, async () => {
      const path = file(content, ending)
      expect(await counts(path)).toEqual(right)
      expect(await fullPrint(path)).toMatch(/^[0-9a-f]{64}$/)
    })
  }

  test('with quotes, separators and other letters in fields, and nothing trimmed', async () => {
    const path = file('n,word\n0,"say ""hi"""\n0,"a,b"\n0,ö\n0, x\n0,x \n')
    expect((await counts(path))[2]).toEqual([0, 0, 1, 1, 1, 2, 0])
  })

  test('with a header alone', async () => {
    expect((await counts(file('n,word\n')))[0]).toEqual([0])
  })

  test('with one column: there an empty line is a record', async () => {
    const path = file('n\n1\n\n""\n2\n')
    const one = universe([u.attributes[0]!])
    const engine = await openEngine({ source: { kind: 'duckdb', path }, ...setting, universe: one })
    const snapshot = await engine.snapshot()
    const [answer] = await snapshot.answer([marginal(['n'])])
    expect([...(open(answer!) as Float64Array)]).toEqual([0, 1, 1, 0, 2])
    expect(await snapshot.full()).toHaveLength(64)
    await engine.close()
  })

  test('beyond the size of a buffer, with line ends and quotes inside fields', async () => {
    // DuckDB's parallel reader gives up on such a file, depending on where its buffers end.
    const field = `"${'x,y\n""q"",1\n'.repeat(3000)}"`
    const path = file(`n,word\n${`1,${field}\n2,x\n`.repeat(1200)}`)
    expect((await counts(path))[1]).toEqual([0, 1200, 1200, 0, 0])
    expect(await fullPrint(path)).toHaveLength(64)
  })
})

describe('what cannot be read to the end is found by the full check, in words that say nothing of the data', () => {
  const cases: { [name: string]: [string | Uint8Array, object] } = {
    'a short record': ['n,word\n1,x\n2\n', { ragged: 1, firstRagged: 3 }],
    'a long record': ['n,word\n1,x,secret\n2,x\n3,x,y\n', { ragged: 2, firstRagged: 2 }],
    'an open quote': ['n,word\n1,x\n2,"secret\n3,x\n', { badQuote: 3 }],
    'a quote closed too early': ['n,word\n1,"sec"ret\n', { badQuote: 2 }],
    'a quote behind a space, which DuckDB drops': ['n,word\n1,x\n2, "x"\n', { badQuote: 3 }],
    'Latin-1': [
      Buffer.from('n,word\n1,x\n2,\xf6\n', 'latin1'),
      { notUtf8: { line: 3, suspected: 'Latin-1 or Windows-1252' } },
    ],
    'Windows-1252': [
      Buffer.from('n,word\n1,\x93\xf6\n', 'latin1'),
      { notUtf8: { line: 2, suspected: 'Windows-1252' } },
    ],
    'cut-off UTF-8': [
      Buffer.from('n,word\n1,\xc3', 'latin1'),
      { notUtf8: { line: 2, suspected: 'UTF-8 that is cut off' } },
    ],
    'a CR alone among CRLF, which DuckDB loses a byte behind': [
      'n,word\r\n1,x\r\n2,x\r3,x\r\n',
      { records: 3, ragged: 0, mixedEnds: 3 },
    ],
    'a CR alone among LF, in one column': ['n\n1\n2\r\r3\n', { mixedEnds: 3 }],
    'a CR alone at the end': ['n,word\r\n1,x\r', { mixedEnds: 2 }],
    'an LF among CR': ['n,word\r1,x\r2,x\n', { mixedEnds: 3 }],
    'a record of 3 MB': [`n,word\n1,x\n2,${'y'.repeat(3e6)}\n`, { tooLong: 3 }],
  }
  for (const [name, [content, found]] of Object.entries(cases)) {
    test(name, async () => {
      const path = file(content)
      expect(await scanText(fileAt(path), await readHeader(fileAt(path)))).toMatchObject(found)
      const error = await fullPrint(path).catch((e) => e)
      expect(error).toMatchObject({ code: 'source-unreadable', facts: {} })
      expect(error.cause).toBeUndefined()
      expect(`${error.message} ${error.stack}`).not.toContain('secret')
    })
  }

  test('a file that breaks after it was checked fails in one constant way', async () => {
    const errors = []
    for (const content of ['n,word\n1,x\n2\n', Buffer.from('n,word\n1,secret \xf6\n', 'latin1')])
      errors.push(await counts(file(content)).catch((e) => ({ ...e, message: e.message, cause: e.cause })))
    expect(errors[0]).toMatchObject({ code: 'engine-failed', facts: {}, cause: undefined })
    expect(errors[1]).toEqual(errors[0])
  })

  test("an owner's view that fails on a record", async () => {
    const path = file('n,word\n1,x\nsecret,x\n')
    await expect(fullPrint(path, 'SELECT n::INTEGER AS n, word FROM source')).rejects.toMatchObject({
      code: 'source-unreadable',
    })
    expect(await fullPrint(path, 'SELECT try_cast(n AS INTEGER) AS n, word FROM source;')).toHaveLength(64)
  })
})

describe('a file in another encoding', () => {
  const bytes = Buffer.from('n,w\xf6rd\n1,\xf6\n2,\x80\n3,"\x93\xf6\n\xff\x94"\n', 'latin1')
  const attributes = (words: readonly string[]) =>
    universe([
      attribute({ kind: 'integer', name: 'n', low: 0, high: 3, closed: true }),
      attribute({ kind: 'values', name: 'wörd', values: words, other: true, closed: false }),
    ])
  const read = async (path: string, encoding: 'latin-1' | 'windows-1252', words: readonly string[]) => {
    const source = { kind: 'duckdb', path, encoding } as const
    const engine = await openEngine({ ...setting, source, universe: attributes(words) })
    try {
      const snapshot = await engine.snapshot()
      const [answer] = await snapshot.answer([marginal(['wörd'])])
      return { counts: [...(open(answer!) as Float64Array)], print: await snapshot.full() }
    } finally {
      await engine.close()
    }
  }

  test('is converted on reading, compressed or not, and is other data in another one', async () => {
    const windows = ['ö', '€', '“ö\nÿ”']
    const latin = ['ö', '\x80', '\x93ö\nÿ\x94']
    const one = await read(file(bytes), 'windows-1252', windows)
    expect(one.counts).toEqual([1, 1, 1, 0, 0])
    expect((await read(file(gzipSync(bytes), 'csv.gz'), 'windows-1252', windows)).counts).toEqual([1, 1, 1, 0, 0])
    const path = file(bytes)
    const two = await read(path, 'latin-1', latin)
    expect(two.counts).toEqual([1, 1, 1, 0, 0])
    expect((await read(path, 'windows-1252', windows)).print).not.toBe(two.print)
  })

  test('has its lines where they are, and its copy goes with the session', async () => {
    const path = file(Buffer.from('n,word\n1,\xf6\n2,\xf6,\xf6\n', 'latin1'))
    const written = { ...fileAt(path), encoding: 'latin-1' } as const
    expect(await scanText(written, await readHeader(written))).toMatchObject({ firstRagged: 3, notUtf8: undefined })
    const [place, usual] = [mkdtempSync(join(folder, 'place-')), process.env.TMPDIR]
    process.env.TMPDIR = place
    try {
      await read(file(bytes), 'latin-1', ['ö'])
    } finally {
      if (usual === undefined) delete process.env.TMPDIR
      else process.env.TMPDIR = usual
    }
    expect(readdirSync(place)).toEqual([])
  })

  test('Windows-1252 is what the platform says it is', () => {
    const all = Uint8Array.from({ length: 256 }, (_, i) => i)
    const text = (encoding: 'latin-1' | 'windows-1252') => Buffer.from(toUtf8(all, encoding)).toString('utf8')
    expect(text('windows-1252')).toBe(new TextDecoder('windows-1252').decode(all))
    expect(text('latin-1')).toBe(String.fromCharCode(...all))
  })
})

describe('a header', () => {
  test('is one record, quotes and all', () => {
    expect(firstRecord('a,"b ""c"", d",\r\n1,2,3', ',')).toEqual(['a', 'b "c", d', ''])
    expect(firstRecord('"a\nb",c', ',')).toEqual(['a\nb', 'c'])
    expect(firstRecord('"a', ',')).toBeUndefined()
    expect(firstRecord('"a"b,c', ',')).toBeUndefined()
  })

  test('that is missing, UTF-16 or without the columns is refused on opening', async () => {
    const utf16 = Buffer.from('\uFEFFn,word\n', 'utf16le')
    for (const [content, message] of [
      ['', /empty/],
      ['\n\n', /empty/],
      [utf16, /UTF-16/],
      ['"n,word\n1,x\n', /stray quote/],
    ] as const) {
      const path = file(content)
      await expect(readHeader(fileAt(path))).rejects.toThrow(message)
      await expect(counts(path)).rejects.toMatchObject({
        code: 'source-unreadable',
        facts: {},
        message: 'the source has errors and cannot be read completely',
      })
    }
    for (const content of ['n,wort\n1,x\n', 'n,word,Word\n1,x,y\n'])
      await expect(counts(file(content))).rejects.toMatchObject({
        code: 'source-unreadable',
        facts: { missing: ['word'] },
        message: 'the source has no column "word"',
      })
  })
})

test('the scanner counts records and lines whatever the pieces are', async () => {
  const path = file(`n,word\r\n${'1,"ö\r\nx"\r\n\r\n'.repeat(200_000)}2\r\n`)
  expect(await scanText(fileAt(path), { delimiter: ',', columns: ['n', 'word'] })).toMatchObject({
    records: 200_001,
    ragged: 1,
    firstRagged: 600_002,
    notUtf8: undefined,
    badQuote: undefined,
  })
})
