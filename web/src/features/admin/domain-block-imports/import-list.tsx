import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import type { AdminDomainBlockImport } from '../../../lib/api/admin-entities.ts'
import { formatFullTime, formatNumber } from '../../../lib/i18n/formats.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { AdminList } from '../shared/list/admin-list.tsx'
import { countsOf } from './import-counts.ts'
import { importsQuery } from './import-queries.ts'
import admin from '../shared/admin.module.css'
import row from '../shared/list/row.module.css'

/** The lists that were uploaded before, with their results. Nothing if there are none. */
export function ImportList() {
  const id = useId()
  const query = useInfiniteQuery(importsQuery)
  if (query.data?.pages[0]?.length === 0) return null
  return (
    <section aria-labelledby={id}>
      <div className={admin.part}>
        <h2 id={id}>{message('web.admin.imports.earlier')}</h2>
        <p className={admin.soft}>{message('web.admin.imports.earlier.note')}</p>
      </div>
      <AdminList query={query}>{(list) => <ImportRow list={list} />}</AdminList>
    </section>
  )
}

function ImportRow({ list }: { list: AdminDomainBlockImport }) {
  const time = formatFullTime(new Date(list.createdAt))
  const counts = countsOf(list).filter((name) => list[name] > 0)
  return (
    <article className={row.row} tabIndex={0} aria-label={time}>
      <div className={row.body}>
        <Link to="/admin/domain_blocks/imports/$id" params={{ id: list.id }} data-key="o">
          {time}
        </Link>
        <p>{message(`web.admin.imports.state.${list.state}`)}</p>
        <p className={admin.soft}>
          {counts
            .map((name) =>
              message('web.admin.imports.count', {
                label: message(`web.admin.imports.${name}`),
                count: formatNumber(list[name]),
              }),
            )
            .join(' · ')}
        </p>
      </div>
    </article>
  )
}
