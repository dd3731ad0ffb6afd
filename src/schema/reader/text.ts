import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

/** No policy and no list of values is longer than this. */
const mostBytes = 2 ** 24

/** Why a file could not be read as text; `line` where there is one. */
interface TextFault {
  readonly missing: boolean
  readonly fault: string
  readonly line: number
}

const notRegular = 'this is not a regular file'
const tooLong = `this file is longer than ${mostBytes / 2 ** 20} MB`

const reasons: { [code: string]: string } = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'this is a folder, not a file',
  EACCES: 'there is no permission to read this file',
  ENXIO: notRegular,
}

/**
 * A whole file as text. Anything but UTF-8 is a fault: never mis-read in silence. A byte order mark is left out. What is no
 * regular file, such as a pipe that nobody writes to, or does not end, is not waited for.
 */
export async function readText(path: string): Promise<{ readonly text: string } | TextFault> {
  try {
    const bytes = await readBytes(path)
    return typeof bytes === 'string' ? { missing: false, fault: bytes, line: 1 } : decoded(bytes)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? ''
    return { missing: /^ENO(ENT|TDIR)$/.test(code), fault: reasons[code] ?? `it cannot be read (${code})`, line: 1 }
  }
}

/** The bytes, or why they were not read. */
async function readBytes(path: string): Promise<Uint8Array | string> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const found = await file.stat()
    if (found.isDirectory()) return reasons.EISDIR!
    if (!found.isFile()) return notRegular
    return found.size > mostBytes ? tooLong : ((await upTo(mostBytes, file)) ?? tooLong)
  } finally {
    await file.close()
  }
}

/** All that is in the file; undefined if there is more than so many bytes, whatever its size was said to be. */
async function upTo(most: number, file: FileHandle): Promise<Uint8Array | undefined> {
  const pieces: Uint8Array[] = []
  for (let length = 0; length <= most; ) {
    const { bytesRead, buffer } = await file.read(new Uint8Array(2 ** 16))
    if (bytesRead === 0) return Buffer.concat(pieces)
    pieces.push(buffer.subarray(0, bytesRead))
    length += bytesRead
  }
  return undefined
}

function decoded(bytes: Uint8Array): { readonly text: string } | TextFault {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch {
    const line = firstBadLine(bytes)
    return { missing: false, fault: `line ${line} is not UTF-8`, line }
  }
}

/** A line feed never stands inside a longer UTF-8 character, so lines can be tried one by one. */
function firstBadLine(bytes: Uint8Array): number {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for (let from = 0, line = 1; ; line++) {
    const end = bytes.indexOf(10, from)
    try {
      decoder.decode(bytes.subarray(from, end < 0 ? bytes.length : end))
    } catch {
      return line
    }
    if (end < 0) return line
    from = end + 1
  }
}
