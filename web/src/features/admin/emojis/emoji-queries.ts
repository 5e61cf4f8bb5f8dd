import { queryOptions } from '@tanstack/react-query'
import { adminApi } from '../../../lib/api/admin-api.ts'
import type { AdminCustomEmoji } from '../../../lib/api/admin-entities.ts'
import { sendRequest } from '../../../lib/api/send-request.ts'
import { listQuery } from '../shared/list/list-query.ts'
import { parametersOf } from './emoji-filters.ts'
import type { EmojiFilters } from './emoji-filters.ts'

/** A category of the emojis of this server. */
export interface EmojiCategory {
  name: string
  emojisCount: number
}

/** What can be chosen for an emoji of this server. `image` null: unchanged. */
export interface EmojiValues {
  shortcode: string
  image: File | null
  /** Empty: none. */
  category: string
  visibleInPicker: boolean
}

export const emojisQuery = (filters: EmojiFilters) =>
  listQuery(
    ['custom-emojis', filters],
    async (page) =>
      (await adminApi('custom_emojis').fetch({ ...page, ...parametersOf(filters) })) as AdminCustomEmoji[],
  )

export const emojiCategoriesQuery = queryOptions({
  queryKey: ['admin', 'custom-emoji-categories'],
  queryFn: async () => (await adminApi('custom_emojis', 'categories').fetch()) as EmojiCategory[],
})

/** Adds an emoji, or changes the one with this id. */
export async function saveEmoji(
  id: string | null,
  { shortcode, image, category, visibleInPicker }: EmojiValues,
): Promise<AdminCustomEmoji> {
  const body = new FormData()
  if (id === null) body.append('shortcode', shortcode)
  if (image) body.append('image', image)
  body.append('category', category)
  body.append('visible_in_picker', String(visibleInPicker))
  return sendRequest<AdminCustomEmoji>({
    method: id === null ? 'POST' : 'PUT',
    path: `/api/v1/admin/custom_emojis${id === null ? '' : `/${id}`}`,
    body,
  })
}

export async function setEmojiDisabled(id: string, disabled: boolean): Promise<void> {
  await adminApi('custom_emojis', id).update({ disabled })
}

/** Copies an emoji of another server to this one. Returns the copy. */
export async function copyEmoji(id: string, category: string): Promise<AdminCustomEmoji> {
  return (await adminApi('custom_emojis', id, 'copy').create({ category })) as AdminCustomEmoji
}

export async function deleteEmoji(id: string): Promise<void> {
  await adminApi('custom_emojis', id).remove()
}

/** Gives a category another name; one that exists is joined with it. */
export async function renameCategory(name: string, newName: string): Promise<void> {
  await adminApi('custom_emojis', 'categories').update({ name, newName })
}
