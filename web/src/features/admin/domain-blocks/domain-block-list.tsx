import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { AdminDomainBlock } from '../../../lib/api/admin-entities.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { TimeAgo } from '../../../ui/time-ago.tsx'
import { AdminList } from '../shared/list/admin-list.tsx'
import { focusNeighbour } from '../shared/list/focus-neighbour.ts'
import { runOrReport, showDecision } from '../shared/decisions/undo.ts'
import { DomainBlockDialog } from './domain-block-dialog.tsx'
import { createDomainBlock, deleteDomainBlock, domainBlocksQuery } from './domain-block-queries.ts'
import admin from '../shared/admin.module.css'
import styles from '../shared/list/row.module.css'

/** The blocked domains, the newest first. */
export function DomainBlockList() {
  const query = useInfiniteQuery(domainBlocksQuery)
  return (
    <AdminList query={query} empty={message('web.admin.domain-blocks.empty')}>
      {(block) => <DomainBlock block={block} />}
    </AdminList>
  )
}

/** The button that opens the form of a new block. */
export function NewDomainBlock() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button type="button" className="button button-small" onClick={() => setIsOpen(true)}>
        {message('web.admin.domain-blocks.new')}
      </button>
      {isOpen && <DomainBlockDialog block={null} onClose={() => setIsOpen(false)} />}
    </>
  )
}

function DomainBlock({ block }: { block: AdminDomainBlock }) {
  const [isEditing, setIsEditing] = useState(false)
  const article = useRef<HTMLElement>(null)
  const queryClient = useQueryClient()
  const refresh = async () => queryClient.invalidateQueries({ queryKey: ['admin'] })
  const { domain, severity, privateComment, publicComment } = block
  const remove = () =>
    void runOrReport(async () => {
      await deleteDomainBlock(block.id)
      focusNeighbour(article.current)
      showDecision({
        text: message('web.admin.domain-blocks.deleted', { domain }),
        undo: () => createDomainBlock(domain, block).then(refresh),
      })
      await refresh()
    })
  const flags = (['rejectMedia', 'rejectReports', 'obfuscate'] as const).filter((name) => block[name])
  return (
    <article ref={article} className={styles.row} tabIndex={0} aria-label={domain}>
      <div className={styles.body}>
        <strong>
          <bdi>{domain}</bdi>
        </strong>
        <p>
          {[
            message(`web.admin.domain-blocks.severity.${severity}`),
            ...flags.map((name) => message(`web.admin.domain-blocks.${name}`)),
          ].join(' · ')}
        </p>
        {publicComment && (
          <p>
            <bdi>{publicComment}</bdi>
          </p>
        )}
        {privateComment && (
          <p className={admin.soft}>{message('web.admin.domain-blocks.for-staff', { comment: privateComment })}</p>
        )}
        <p className={admin.soft}>
          <TimeAgo time={block.createdAt} />
        </p>
      </div>
      <p className={admin.actions}>
        <button
          type="button"
          className="button button-line button-small"
          aria-label={message('web.admin.edit-name', { name: domain })}
          onClick={() => setIsEditing(true)}
        >
          {message('web.admin.edit')}
        </button>
        <button
          type="button"
          className="button button-line button-small"
          aria-label={message('web.admin.delete-name', { name: domain })}
          onClick={remove}
        >
          {message('web.admin.delete')}
        </button>
      </p>
      {isEditing && <DomainBlockDialog block={block} onClose={() => setIsEditing(false)} />}
    </article>
  )
}
