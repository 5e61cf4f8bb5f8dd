import type { Announcement } from '../../lib/api/entities.ts'

export type Reaction = Announcement['reactions'][number]

/** Returns the reactions with one of the user added or removed. */
export function withReaction(reactions: readonly Reaction[], { name, on }: { name: string; on: boolean }): Reaction[] {
  const existing = reactions.find((reaction) => reaction.name === name)
  if (!existing) return on ? [...reactions, { name, count: 1, me: true }] : [...reactions]
  if (existing.me === on) return [...reactions]
  return reactions
    .map((reaction) =>
      reaction.name === name ? { ...reaction, me: on, count: reaction.count + (on ? 1 : -1) } : reaction,
    )
    .filter(({ count }) => count > 0)
}
