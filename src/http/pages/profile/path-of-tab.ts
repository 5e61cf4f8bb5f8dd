import type { ProfileTab } from './template.ts'

/** Returns the path of a tab below that of the profile. */
export function pathOfTab(tab: ProfileTab): string {
  if (typeof tab === 'object') return `/tagged/${encodeURIComponent(tab.tagged)}`
  return { posts: '', replies: '/with_replies', media: '/media' }[tab]
}
