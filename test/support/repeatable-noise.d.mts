export const seed: string
/** From now on this process draws from the stream of this name. Returns a count of the requests to it. */
export function repeatNoise(name: string): () => number
