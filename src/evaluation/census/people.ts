// How people are: the invented laws that the table is drawn from. Nobody's record went into them; the round numbers
// stand for what everybody knows (children are single, clerks have been to school, small states are small).
import { occupations, states } from './attributes.ts'
import { type Choice, choice } from './choice.ts'

type Region = (typeof states)[number][2]

const ages = Array.from({ length: 101 }, (_, age) => age)
const genders = [0, 1] as const
const logistic = (x: number) => 1 / (1 + Math.exp(-x))
/** A fixed sequence that fills [0, 1) evenly and looks unordered: traits of occupations come from it. */
const spread = (n: number, step: number) => (n * step) % 1

/** A growing population that dies by Gompertz' law. */
export const ageLaw: Choice = choice([ages.map((age) => Math.exp(-age / 55 - Math.exp((age - 84) / 10)))])

/** Slightly more boys are born; women live longer. */
export const genderGivenAge: Choice = choice(ages.map((age) => [0.49 + 0.3 * logistic((age - 65) / 12), 0.51]))

export const stateLaw: Choice = choice([states.map(([, millions]) => millions)])

/** Most people live where they were born; the rest came from the populous states, more often from the northeast. */
export const birthPlaceGivenState: Choice = choice(
  states.map(([, millions, region], here) => {
    const stayed = region === 'southeast' || region === 'west' ? 0.8 : 0.9
    const pull = states.map(([, from, origin], there) =>
      there === here ? 0 : from * (origin === 'northeast' ? 2 : 1) * (origin === region ? 3 : 1),
    )
    const total = pull.reduce((sum, p) => sum + p, 0)
    const abroad = millions > 15 ? 0.006 : 0.002
    return [
      ...pull.map((p, there) => (there === here ? stayed : ((1 - stayed) * p) / total)),
      region === 'west' ? 0.02 : 0.001,
      abroad,
      abroad,
    ]
  }),
)

const raceByRegion: { [R in Region]: number[] } = {
  southeast: [55, 35, 8, 1.1, 0.2],
  south: [78, 17, 4, 0.7, 0.3],
  northeast: [29, 59, 10, 1.1, 0.4],
  north: [23, 67, 6, 1.0, 3],
  west: [42, 49, 7, 1.4, 0.9],
}
export const raceGivenState: Choice = choice(states.map(([, , region]) => raceByRegion[region]))

const wealth: { [R in Region]: number } = { southeast: 2, south: 2, west: 1, north: 0, northeast: 0 }
export const wealthOfState: Uint8Array = Uint8Array.from(states, ([, , region]) => wealth[region])
export const wealthLevels = 3
/** The age from which a level can have been reached. */
const reachedAt = [0, 7, 16, 21, 24]
export const educationLevels = reachedAt.length
/** Parent: age, then wealth. Limited by age for the young, rarer for the old, more in richer regions. */
export const educationGivenAgeWealth: Choice = choice(
  ages.flatMap((age) =>
    Array.from({ length: wealthLevels }, (_, rich) => {
      const schooled = 1.3 + 0.5 * rich - Math.max(0, age - 25) / 28
      return [0.6, 1, Math.exp(schooled - 1), Math.exp(1.2 * schooled - 2.3), Math.exp(1.4 * schooled - 4.6)].map(
        (weight, level) => (age < reachedAt[level]! ? 0 : level === 0 && age >= 12 ? weight / 5 : weight),
      )
    }),
  ),
)

/** Parent: age, then gender. Women marry earlier and are widowed more often. */
export const maritalGivenAgeGender: Choice = choice(
  ages.flatMap((age) =>
    genders.map((gender) => {
      if (age < 15) return [1, 0, 0, 0]
      const ever = logistic((age - (gender === 0 ? 25 : 28)) / 4.5) * 0.9
      const widowed = logistic((age - (gender === 0 ? 74 : 86)) / 8)
      const separated = 0.12 * logistic((age - 38) / 6) * (1 - widowed)
      return [1 - ever, ever * (1 - widowed - separated), ever * separated, ever * widowed]
    }),
  ),
)

/** Coarse ages for work: up to 13, then by these lower bounds. */
const workingFrom = [14, 18, 25, 40, 55, 65, 75]
const employed = [0, 0.18, 0.6, 0.78, 0.76, 0.52, 0.2, 0.05]
export const workBands = employed.length
export const workBandOfAge: Uint8Array = Uint8Array.from(
  ages,
  (age) => workingFrom.filter((from) => age >= from).length,
)

/**
 * Parent: work band, then gender, then education. Popularity falls like Zipf's law; each occupation has a typical
 * education and a share of women of its own.
 */
export const occupationGivenWork: Choice = choice(
  employed.flatMap((share) =>
    genders.flatMap((gender) =>
      reachedAt.map((_, education) => {
        const jobs = Array.from({ length: occupations - 1 }, (_, n) => {
          const typical = 4 * spread(n + 1, 0.6180339887) ** 1.4
          const women = 0.05 + 0.9 * spread(n + 1, 0.7548776662)
          return ((gender === 0 ? women : 1 - women) * Math.exp(-((education - typical) ** 2))) / (n + 2) ** 1.1
        })
        const working = Math.min(0.95, share * (gender === 0 ? 0.75 : 1) * (1 + 0.05 * education))
        const total = jobs.reduce((sum, job) => sum + job, 0)
        return [1 - working, ...jobs.map((job) => (working * job) / total)]
      }),
    ),
  ),
)

/** Parent: occupation, then work band. The young help unpaid; the older, the more work for themselves. */
export const classGivenOccupationBand: Choice = choice(
  Array.from({ length: occupations }, (_, occupation) =>
    employed.map((_, band) => {
      if (occupation === 0) return [1, 0, 0, 0]
      const independent = 0.05 + 0.6 * spread(occupation, 0.569840291) + 0.04 * band
      return [0, 1, independent, band <= 1 ? 0.3 : 0.01]
    }),
  ).flat(),
)
