/** As many digits of a price as people read. */
const read = 6

/** The largest number of six digits that is not above this one, from 0 on. */
export const toldDown = (value: number): number => told(value, (near) => near <= value, -1)

/** The smallest such number that is not below it: a price so told is never too low. */
export const toldUp = (value: number): number => told(value, (near) => near >= value, 1)

function told(value: number, isOnItsSide: (near: number) => boolean, step: number): number {
  const near = Number(value.toPrecision(read))
  if (isOnItsSide(near) || !Number.isFinite(value)) return near
  const unit = 10 ** (Math.floor(Math.log10(value)) + 1 - read)
  return Number((near + step * unit).toPrecision(read))
}
