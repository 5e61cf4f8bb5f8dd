import { PUBLIC } from '../wire/context.ts'

export type Visibility = 'public' | 'unlisted' | 'private' | 'direct'

/** The addressed ids of an object or activity (ActivityPub §5.6); the public collection is `PUBLIC`. */
export interface Audience {
  to: string[]
  cc: string[]
}

/** Returns the visibility that follows from an audience, given the URL of the author's followers collection. */
export function visibilityOf({ to, cc }: Audience, { followersUrl }: { followersUrl: string | null }): Visibility {
  if (to.includes(PUBLIC)) return 'public'
  if (cc.includes(PUBLIC)) return 'unlisted'
  return followersUrl !== null && to.includes(followersUrl) ? 'private' : 'direct'
}

/**
 * Returns the audience of a local status: `mentioned` in the order of the text, after `first`, such as the author of a
 * reblogged status.
 */
export function audienceFor(
  visibility: Visibility,
  { followersUrl, mentioned, first = [] }: { followersUrl: string; mentioned: readonly string[]; first?: string[] },
): Audience {
  switch (visibility) {
    case 'public':
      return { to: [PUBLIC], cc: [...first, followersUrl, ...mentioned] }
    case 'unlisted':
      return { to: [followersUrl], cc: [...first, PUBLIC, ...mentioned] }
    case 'private':
      return { to: [followersUrl], cc: [...first, ...mentioned] }
    case 'direct':
      return { to: [...mentioned], cc: [...first] }
  }
}
