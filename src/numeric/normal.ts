/** A number of the standard normal law, by Box and Muller: for models and guesses, not for noise that hides private numbers. */
export const standardNormal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
