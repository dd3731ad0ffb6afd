import { draw } from './choice.ts'
import {
  ageLaw,
  birthPlaceGivenState,
  classGivenOccupationBand,
  educationGivenAgeWealth,
  educationLevels,
  genderGivenAge,
  maritalGivenAgeGender,
  occupationGivenWork,
  raceGivenState,
  stateLaw,
  wealthLevels,
  wealthOfState,
  workBandOfAge,
  workBands,
} from './people.ts'

/** Codes of a table, one column per attribute of `censusAttributes`, in its order. */
export interface Census {
  readonly rows: number
  readonly columns: readonly Uint16Array[]
}

/** A permutation of 32-bit words that scatters neighbours (Wellons' lowbias32). */
function mix(word: number): number {
  let x = word
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d)
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b)
  return x ^ (x >>> 16)
}
const golden = 0x9e3779b9

/**
 * Draws a census-like table. It is public, synthetic data: no person's record went into it. The seed makes it
 * reproducible and has nothing to do with the noise of private answers, which cannot be seeded.
 *
 * Every row's randomness is a hash of the seed and the row's number, so rows from … from + rows - 1 are the same
 * whatever pieces a table is drawn in.
 */
export function generateCensus({ rows, seed, from = 0 }: { rows: number; seed: number; from?: number }): Census {
  const column = () => new Uint16Array(rows)
  const [age, gender, marital, state, birth] = [column(), column(), column(), column(), column()]
  const [race, education, occupation, work] = [column(), column(), column(), column()]
  const [key1, key2] = [mix(seed), mix(mix(seed / 2 ** 32) ^ ~seed)]
  for (let i = 0; i < rows; i++) {
    let word = mix(mix(from + i + key1) ^ key2)
    const next = () => {
      word = (word + golden) | 0
      return mix(word)
    }
    const a = draw(ageLaw, 0, next())
    const g = draw(genderGivenAge, a, next())
    const s = draw(stateLaw, 0, next())
    const e = draw(educationGivenAgeWealth, a * wealthLevels + wealthOfState[s]!, next())
    const band = workBandOfAge[a]!
    const o = draw(occupationGivenWork, (band * 2 + g) * educationLevels + e, next())
    age[i] = a
    gender[i] = g
    marital[i] = draw(maritalGivenAgeGender, a * 2 + g, next())
    state[i] = s
    birth[i] = draw(birthPlaceGivenState, s, next())
    race[i] = draw(raceGivenState, s, next())
    education[i] = e
    occupation[i] = o
    work[i] = draw(classGivenOccupationBand, o * workBands + band, next())
  }
  return { rows, columns: [age, gender, marital, state, birth, race, education, occupation, work] }
}
