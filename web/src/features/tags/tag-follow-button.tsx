import { message } from '../../lib/i18n/messages.ts'
import type { Tag } from '../../lib/api/entities.ts'
import { useTagAction } from './tag-queries.ts'

/** Follows or unfollows a hashtag. */
export function TagFollowButton({ tag, isSmall = false }: { tag: Tag; isSmall?: boolean }) {
  const actOnTag = useTagAction()
  const { following = false } = tag
  const text = message(following ? 'web.relationship.following' : 'web.relationship.follow')
  return (
    <button
      type="button"
      className={`button ${following ? 'button-line' : ''} ${isSmall ? 'button-small' : ''}`}
      aria-label={`${text} #${tag.name}`}
      title={following ? message('web.relationship.unfollow') : undefined}
      onClick={() => void actOnTag(tag, following ? 'unfollow' : 'follow')}
    >
      {text}
    </button>
  )
}
