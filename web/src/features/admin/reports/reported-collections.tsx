import type { AdminReport } from '../../../lib/api/admin-entities.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { CollectionLink } from '../../collections/lists/collection-link.tsx'
import admin from '../shared/admin.module.css'

/** The reported collections, if there are some. */
export function ReportedCollections({ report: { collections } }: { report: AdminReport }) {
  if (collections.length === 0) return null
  return (
    <section className={admin.part}>
      <h2>{message('web.admin.reports.collections', { count: collections.length })}</h2>
      <ul>
        {collections.map((collection) => (
          <li key={collection.id}>
            <CollectionLink collection={collection} isBoxed />
          </li>
        ))}
      </ul>
    </section>
  )
}
