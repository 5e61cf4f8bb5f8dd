import { message } from '../../../lib/i18n/messages.ts'
import type { Account, Collection } from '../../../lib/api/entities.ts'
import { Icon } from '../../../ui/icons/icon.tsx'
import { CollectionMenu } from '../collection-menu.tsx'
import { CollectionLink } from './collection-link.tsx'
import styles from './collection-row.module.css'

/** A collection in a list, with its menu. `showsCurator`: names its owner. */
export function CollectionRow({
  collection,
  curator,
  showsCurator = false,
  onGone,
}: {
  collection: Collection
  curator: Account | undefined
  showsCurator?: boolean
  onGone?: () => void
}) {
  const details = (
    <>
      {showsCurator && curator && (
        <span>{message('web.collections.by', { name: curator.displayName || curator.username })}</span>
      )}
      {!collection.discoverable && (
        <span className={styles.mark}>
          <Icon name="unlisted" />
          {message('web.collections.unlisted')}
        </span>
      )}
    </>
  )
  return (
    <div className={styles.row}>
      <CollectionLink collection={collection} details={details} />
      <CollectionMenu collection={collection} curator={curator} {...(onGone && { onGone })} />
    </div>
  )
}
