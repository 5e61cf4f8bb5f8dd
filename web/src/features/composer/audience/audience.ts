import type { Visibility } from '../../drafts/draft.ts'

/** From the most to the least public. */
const VISIBILITIES = ['public', 'unlisted', 'private', 'direct'] as const satisfies readonly Visibility[]

const rankOf = (visibility: Visibility) => VISIBILITIES.indexOf(visibility)

/** Returns the less public of two visibilities. */
export function lessPublic(a: Visibility, b: Visibility): Visibility {
  return rankOf(a) >= rankOf(b) ? a : b
}

/**
 * Returns the visibilities that a post may have: a reply is never more public than its parent, and a post that quotes
 * one for followers is for followers or for mentioned accounts.
 */
export function allowedVisibilities({
  parent,
  quoted,
}: {
  parent: Visibility | undefined
  quoted: Visibility | undefined
}): readonly Visibility[] {
  const limit = lessPublic(parent ?? 'public', quoted === 'private' ? 'private' : 'public')
  return VISIBILITIES.filter((visibility) => rankOf(visibility) >= rankOf(limit))
}
