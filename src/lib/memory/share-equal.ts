import { LRUCache } from 'lru-cache'

/**
 * Returns a function that returns the first of all values with the same key, so that caches with many equal values hold
 * one object. `keyOf` distinguishes all values that differ. Of the `max` keys, the least recently used one is forgotten;
 * a later value is then a second object.
 */
export function shareEqual<Value extends object>({
  max,
  keyOf,
}: {
  max: number
  keyOf(value: Value): string
}): (value: Value) => Value {
  const known = new LRUCache<string, Value>({ max })
  return (value) => {
    const key = keyOf(value)
    const first = known.get(key)
    if (first === undefined) known.set(key, value)
    return first ?? value
  }
}
