import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/session.ts'
import type { CustomEmoji } from '../../lib/api/entities.ts'

/** The custom emojis of the server that users can choose. */
export const customEmojisQuery = queryOptions({
  queryKey: ['custom-emojis'],
  queryFn: async () => {
    const emojis = (await api().v1.customEmojis.list()) as unknown as CustomEmoji[]
    return emojis.filter(({ visibleInPicker }) => visibleInPicker)
  },
  staleTime: 10 * 60_000,
})

/** Returns the emojis whose code contains a text; those that begin with it come first. */
export function searchEmojis(emojis: readonly CustomEmoji[], query: string): CustomEmoji[] {
  const wanted = query.toLowerCase()
  const placeOf = ({ shortcode }: CustomEmoji) => shortcode.toLowerCase().indexOf(wanted)
  return emojis
    .filter((emoji) => placeOf(emoji) !== -1)
    .toSorted((a, b) => Math.sign(placeOf(a)) - Math.sign(placeOf(b)))
}

/** Returns the emojis by category, those without one at the end with the category null. */
export function groupEmojis(emojis: readonly CustomEmoji[]): [category: string | null, emojis: CustomEmoji[]][] {
  const groups = Map.groupBy(emojis, ({ category }) => category ?? null)
  return [...groups].toSorted(([a], [b]) => (a === null ? 1 : b === null ? -1 : a.localeCompare(b)))
}
