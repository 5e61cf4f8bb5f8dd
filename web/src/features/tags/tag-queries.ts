import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query'
import { message } from '../../lib/i18n/messages.ts'
import { inOrder } from '../../lib/api/in-order.ts'
import { toPage } from '../../lib/api/pages.ts'
import { api } from '../../lib/session.ts'
import type { Tag } from '../../lib/api/entities.ts'
import { showToast } from '../../ui/notices/toasts.tsx'

export const tagQuery = (name: string) =>
  queryOptions({
    queryKey: ['tag', name.toLowerCase()],
    queryFn: async () => (await api().v1.tags.$select(name).fetch()) as unknown as Tag,
  })

export const followedTagsQuery = infiniteQueryOptions({
  queryKey: ['followed-tags'],
  queryFn: async ({ pageParam }) =>
    toPage<Tag>(await api().v1.followedTags.list.$raw(pageParam === '' ? {} : { maxId: pageParam })),
  initialPageParam: '',
  getNextPageParam: ({ maxId }) => maxId,
})

/** What the user can do with a hashtag. */
export type TagAction = 'follow' | 'unfollow' | 'feature' | 'unfeature'

const CHANGES: Record<TagAction, Partial<Tag>> = {
  follow: { following: true },
  unfollow: { following: false },
  feature: { featuring: true },
  unfeature: { featuring: false },
}

/** Returns a function that follows or features a hashtag: at once, and back if the server refuses. */
export function useTagAction() {
  const queryClient = useQueryClient()
  return async function actOnTag(tag: Tag, action: TagAction): Promise<void> {
    const { queryKey } = tagQuery(tag.name)
    const save = (next: Tag) => {
      queryClient.setQueryData(queryKey, next)
      const isSame = ({ name }: Tag) => name.toLowerCase() === tag.name.toLowerCase()
      queryClient.setQueryData(
        followedTagsQuery.queryKey,
        (data) =>
          data && {
            ...data,
            pages: data.pages.map((page) => ({
              ...page,
              items: page.items.map((item) => (isSame(item) ? next : item)),
            })),
          },
      )
    }
    save({ ...tag, ...CHANGES[action] })
    try {
      save((await inOrder(`tag ${tag.name}`, () => api().v1.tags.$select(tag.name)[action]())) as unknown as Tag)
    } catch {
      save(tag)
      showToast({
        kind: 'alert',
        text: message(`web.tag.${action}-failed`, { tag: `#${tag.name}` }),
        action: { label: message('web.retry'), run: () => void actOnTag(tag, action) },
      })
    }
  }
}
