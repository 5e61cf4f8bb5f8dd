import { retryOnUnauthorized } from '../../lib/api/renew-on-unauthorized.ts'
import { api } from '../../lib/session.ts'
import type { Stream } from '../../lib/stream-subscriptions.ts'
import type { mastodon } from 'masto'
import type { FilterContext, Status } from '../../lib/api/entities.ts'
import { createCursorSource } from './cursor-source.ts'
import { saveStatuses } from '../statuses/status-store.ts'
import type { TimelineSource } from './timeline-store.ts'

/** What identifies a timeline. */
export type TimelineName =
  | { type: 'home' }
  | { type: 'public' | 'local' | 'remote' }
  | { type: 'tag'; tag: string }
  | { type: 'list'; id: string }
  | { type: 'link'; url: string }
  | { type: 'account'; id: string; replies: boolean; boosts: boolean }
  | { type: 'account-media'; id: string }
  | { type: 'account-tag'; id: string; tag: string }
  | { type: 'bookmarks' }
  | { type: 'favourites' }

/** Returns a key that is equal for equal timelines. */
export function timelineKey(name: TimelineName): string {
  if (name.type === 'account-tag') return `account-tag:${name.id}:${name.tag.toLowerCase()}`
  if (name.type === 'account')
    return `account:${name.id}:${name.replies ? 'replies' : ''}:${name.boosts ? 'boosts' : ''}`
  const detail = 'tag' in name ? name.tag.toLowerCase() : 'id' in name ? name.id : 'url' in name ? name.url : ''
  return `${name.type}:${detail}`
}

/** Returns the context of the filters that apply to a timeline. */
export function filterContextOf({ type }: TimelineName): FilterContext {
  if (type === 'home' || type === 'list') return 'home'
  return type === 'account' || type === 'account-tag' ? 'account' : 'public'
}

/** Returns where a timeline gets its statuses from. */
export function sourceOf(name: TimelineName): TimelineSource {
  if (name.type === 'bookmarks' || name.type === 'favourites')
    return createCursorSource((page) => retryOnUnauthorized(() => api().v1[name.type].list.$raw(page)))
  return {
    save: saveStatuses,
    // The types of masto.js and of the server's schemas describe the same JSON.
    fetchPage: async (page) => (await retryOnUnauthorized(() => fetchPage(name, page))) as unknown as Status[],
  }
}

function fetchPage(
  name: Exclude<TimelineName, { type: 'bookmarks' } | { type: 'favourites' }>,
  page: { maxId?: string; sinceId?: string; minId?: string; limit: number },
): PromiseLike<mastodon.v1.Status[]> {
  const { accounts, timelines } = api().v1
  switch (name.type) {
    case 'home':
      return timelines.home.list(page)
    case 'public':
      return timelines.public.list(page)
    case 'local':
      return timelines.public.list({ ...page, local: true })
    case 'remote':
      return timelines.public.list({ ...page, remote: true })
    case 'tag':
      return timelines.tag.$select(name.tag).list(page)
    case 'list':
      return timelines.list.$select(name.id).list(page)
    case 'link':
      return timelines.link.list({ ...page, url: name.url })
    case 'account':
      return accounts
        .$select(name.id)
        .statuses.list({ ...page, excludeReplies: !name.replies, excludeReblogs: !name.boosts })
    case 'account-media':
      return accounts.$select(name.id).statuses.list({ ...page, onlyMedia: true })
    case 'account-tag':
      return accounts.$select(name.id).statuses.list({ ...page, tagged: name.tag })
  }
}

/** Returns the stream of a timeline; null if it has none. */
export function streamOf(name: TimelineName): Stream | null {
  switch (name.type) {
    case 'home':
      return { stream: 'user' }
    case 'public':
      return { stream: 'public' }
    case 'local':
      return { stream: 'public:local' }
    case 'remote':
      return { stream: 'public:remote' }
    case 'tag':
      return { stream: 'hashtag', tag: name.tag }
    case 'list':
      return { stream: 'list', list: name.id }
    case 'link':
    case 'account':
    case 'account-media':
    case 'account-tag':
    case 'bookmarks':
    case 'favourites':
      return null
  }
}
