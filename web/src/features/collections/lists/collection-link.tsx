import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatNumber } from '../../../lib/i18n/formats.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { currentAccountId } from '../../../lib/session.ts'
import type { Collection } from '../../../lib/api/entities.ts'
import { Icon } from '../../../ui/icons/icon.tsx'
import { excerptOf } from '../../statuses/content/status-text.ts'
import styles from './collection-link.module.css'

/** A collection in a list, or in a notification (`isBoxed`). `details`: what its line of facts says besides. */
export function CollectionLink({
  collection,
  details,
  isBoxed = false,
}: {
  collection: Collection
  details?: ReactNode
  isBoxed?: boolean
}) {
  const { id, name, itemCount, sensitive, tag, language, accountId } = collection
  const isCovered = sensitive && accountId !== currentAccountId()
  const text = isCovered ? '' : descriptionOf(collection)
  return (
    <Link
      to="/collections/$id"
      params={{ id }}
      className={isBoxed ? `${styles.link} ${styles.boxed}` : styles.link}
      data-key={isBoxed ? 'o' : undefined}
    >
      <Icon name="collection" />
      <span className={styles.texts}>
        <strong className={styles.name} lang={language ?? undefined}>
          <bdi>{name}</bdi>
        </strong>
        {text !== '' && (
          <span className={styles.description} lang={language ?? undefined}>
            <bdi>{text}</bdi>
          </span>
        )}
        <span className={styles.facts}>
          <span>{message('web.collection.count', { count: formatNumber(itemCount), number: itemCount })}</span>
          {tag && <bdi>#{tag.name}</bdi>}
          {details}
          {sensitive && (
            <span className={styles.mark}>
              <Icon name="warning" />
              {message('web.collection.sensitive')}
            </span>
          )}
        </span>
      </span>
    </Link>
  )
}

/** Returns the description as plain text. That of a remote collection is HTML. */
function descriptionOf({ description, local }: Collection): string {
  return local ? (description ?? '') : excerptOf(description ?? '')
}
