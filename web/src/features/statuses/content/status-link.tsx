import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { collectionIdOf } from '../../collections/collection-url.ts'
import type { RenderLink } from '../../../lib/html/render-html.tsx'
import type { Status } from '../../../lib/api/entities.ts'

/**
 * Renders a link of a status: mentions and hashtags open their pages in the client, all others a new tab. A mention is
 * recognised by the URLs of the status, since its text may name another account.
 */
export function renderStatusLink(
  { href, className, text, children }: Parameters<RenderLink>[0],
  { mentions, tags }: Pick<Status, 'mentions' | 'tags'>,
): ReactNode {
  const mention = mentions.find(({ url }) => url === href)
  if (mention)
    return (
      <Link to="/@{$acct}" params={{ acct: mention.acct }} data-card={mention.acct}>
        {children}
      </Link>
    )
  const tagName = text.replace(/^#/, '').toLowerCase()
  const tag = className.includes('hashtag') ? tags.find(({ name }) => name.toLowerCase() === tagName) : undefined
  if (tag)
    return (
      <Link to="/tags/$tag" params={{ tag: tag.name }}>
        {children}
      </Link>
    )
  const collectionId = collectionIdOf(href)
  if (collectionId !== null)
    return (
      <Link to="/collections/$id" params={{ id: collectionId }}>
        {children}
      </Link>
    )
  return (
    <a href={href} target="_blank" rel="noopener nofollow noreferrer" title={href}>
      {children}
    </a>
  )
}
