/**
 * Returns the items without repetitions of a key. Pages with offsets repeat an item whose rank falls while they are
 * loaded.
 */
export function uniqueBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] {
  return [...new Map(items.map((item) => [keyOf(item), item])).values()]
}
