let last = 0

/** The number of the request that an entity comes from. */
const numbers = new WeakMap<object, number>()

/** Returns a number that is greater than all before it. Requests and the ends of actions get one, so their order is known. */
export function takeNumber(): number {
  last += 1
  return last
}

/** Records for all entities in a response with which number it was requested. */
export function numberEntities(value: unknown, number: number): void {
  if (typeof value !== 'object' || value === null) return
  if ('id' in value) numbers.set(value, number)
  for (const part of Object.values(value)) numberEntities(part, number)
}

/** Returns the number of the request that an entity comes from; undefined if it comes from a stream. */
export function requestNumberOf(entity: object): number | undefined {
  return numbers.get(entity)
}
