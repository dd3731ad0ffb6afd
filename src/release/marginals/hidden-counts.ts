/**
 * The likely true counts of a table, given all of its noisy ones: ten negative ones mean some twenty near 0. Counts and noisy counts come as multiples of the noise's scale λ.
 *
 * A count is taken to be one of ten, with the shares that explain the table best (empirical Bayes, by expectation
 * maximisation). Smaller counts than the first look the same under this noise; from the fourth on they lie closer than
 * noise could blur, so that none looks noisier than it is for want of another between.
 */
export const multiples: Float64Array = Float64Array.of(0.1, 0.2, 0.4, 0.8, 1.6, 2.4, 3.2, 4, 4.8, 5.6)

/** Noisy counts are sorted by tenths from -8 to 5. Noise does not hide those above. */
const [first, last, width] = [-8, 5, 0.1]
export const places: number = Math.round((last - first) / width) + 1
export const visible = last

/** Of a noisy count that is not visible. */
export const placeOf = (seen: number): number => Math.max(0, Math.round(seen / width) - Math.round(first / width))
/** The noisy count at a place. */
export const seenAt = (place: number): number => first + place * width

/** By place and multiple: how likely noise is to make the one of the other, up to a factor by place. */
export const likelihoods: Float64Array = new Float64Array(places * multiples.length)
for (let place = 0, at = 0; place < places; place++)
  for (const multiple of multiples)
    likelihoods[at++] = Math.exp(Math.max(0, -seenAt(place)) - Math.abs(seenAt(place) - multiple))

/**
 * How many cells of each kind every table is taken to have besides its own: no kind is ever ruled out, however lucky noise
 * was. A table that seems to have no small counts would keep its noise for good.
 */
const more = 1 / 4
const rounds = 8

/** The share of each multiple (times some number), given how many noisy counts are at each place. */
export function explain(counts: Int32Array): Float64Array {
  const kinds = multiples.length
  let shares = new Float64Array(kinds).fill(1)
  for (let round = 0; round < rounds; round++) {
    const next = new Float64Array(kinds).fill(more)
    for (let place = 0, at = 0; place < places; place++, at += kinds) {
      if (counts[place] === 0) continue
      let sum = 0
      for (let b = 0; b < kinds; b++) sum += shares[b]! * likelihoods[at + b]!
      const per = counts[place]! / sum
      for (let b = 0; b < kinds; b++) next[b]! += per * shares[b]! * likelihoods[at + b]!
    }
    shares = next
  }
  return shares
}
