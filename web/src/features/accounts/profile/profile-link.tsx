import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { collectionIdOf } from '../../collections/collection-url.ts'
import type { RenderLink } from '../../../lib/html/render-html.tsx'

/**
 * Renders a link of a profile. Its hashtags and mentions have no entities, so the path of the URL names the hashtag and
 * the text of the link the account; both open their pages in the client, all others a new tab.
 */
export function renderProfileLink({ href, className, text, children }: Parameters<RenderLink>[0]): ReactNode {
  const tag = className.includes('hashtag') ? text.replace(/^#/, '') : ''
  if (tag !== '')
    return (
      <Link to="/tags/$tag" params={{ tag }}>
        {children}
      </Link>
    )
  const name = className.includes('mention') ? /^@([^@\s]+)$/.exec(text.trim())?.[1] : undefined
  if (name !== undefined) {
    const { host } = new URL(href)
    return (
      <Link to="/@{$acct}" params={{ acct: host === location.host ? name : `${name}@${host}` }}>
        {children}
      </Link>
    )
  }
  const collectionId = collectionIdOf(href)
  if (collectionId !== null)
    return (
      <Link to="/collections/$id" params={{ id: collectionId }}>
        {children}
      </Link>
    )
  return (
    <a href={href} target="_blank" rel="noopener nofollow noreferrer me" title={href}>
      {children}
    </a>
  )
}
