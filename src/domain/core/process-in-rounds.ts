/** A set whose members are processed in the order of their ids. `cursor`: the last processed member; '0' at first. */
export interface StartedSet<Item> {
  item: Item
  cursor: string
}

/** What a round processed of the set at a position, from 1: the last member, and how many members there were. */
export interface RoundProgress {
  position: number
  last: string | null
  size: number
}

/**
 * Processes the members of several sets, such as the followers of several authors, in rounds of at most `roundSize`
 * members. Each set has an equal share of a round, and those that have more members continue in the next one. So many
 * small sets take one round, and a large set takes as many rounds as it needs. A set without progress is finished.
 */
export async function processInRounds<Item>(
  items: readonly Item[],
  {
    roundSize,
    process,
  }: { roundSize: number; process(sets: StartedSet<Item>[], limitPerSet: number): Promise<RoundProgress[]> },
): Promise<void> {
  let sets: StartedSet<Item>[] = items.map((item) => ({ item, cursor: '0' }))
  while (sets.length > 0) {
    const current = sets
    const limit = Math.max(1, Math.floor(roundSize / current.length))
    const progress = await process(current, limit)
    sets = progress.flatMap(({ position, last, size }) => {
      const set = current[position - 1]
      return set !== undefined && last !== null && size === limit ? [{ ...set, cursor: last }] : []
    })
  }
}
