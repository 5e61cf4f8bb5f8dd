import { PUBLIC } from '../wire/context.ts'

export type Visibility = 'public' | 'unlisted' | 'private' | 'direct'

/** Whom something is sent to. Everybody is `PUBLIC`. */
export interface Audience {
  to: string[]
  cc: string[]
}

/** Who may see what is addressed so, by an author whose followers have this address. */
export function visibilityOf({ to, cc }: Audience, { followersUrl }: { followersUrl: string | null }): Visibility {
  if (to.includes(PUBLIC)) return 'public'
  if (cc.includes(PUBLIC)) return 'unlisted'
  return followersUrl !== null && to.includes(followersUrl) ? 'private' : 'direct'
}

/** Whom a status of ours is addressed to: `mentioned` in the order of the text, `first` before them (a boost's author). */
export function addressTo(
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
