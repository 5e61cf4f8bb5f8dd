import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { adminApi } from '../../../lib/api/admin-api.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { TimeAgo } from '../../../ui/time-ago.tsx'
import { AdminList } from '../shared/list/admin-list.tsx'
import { focusNeighbour } from '../shared/list/focus-neighbour.ts'
import { listQuery } from '../shared/list/list-query.ts'
import { runOrReport, showDecision } from '../shared/decisions/undo.ts'
import { ExportButton } from './export-button.tsx'
import { ListToolbar } from './list-toolbar.tsx'
import { ResourceDialog } from './resource-dialog.tsx'
import type { Resource } from './resource.ts'
import admin from '../shared/admin.module.css'
import styles from '../shared/list/row.module.css'

type AnyRow = { id: string; createdAt?: string }

/** The rows of a list, each with buttons to change and to delete it. */
export function ResourceList<Row extends AnyRow>({ resource }: { resource: Resource<Row> }) {
  const query = useInfiniteQuery(
    listQuery([resource.path], async (page) => (await adminApi(resource.path).fetch(page)) as Row[]),
  )
  return (
    <>
      {resource.exports && (
        <ListToolbar>
          <ExportButton list={resource.exports} />
        </ListToolbar>
      )}
      <AdminList query={query} empty={resource.texts.empty}>
        {(row) => <ResourceRow resource={resource} row={row} />}
      </AdminList>
    </>
  )
}

/** The button that opens the form of a new row. */
export function NewResource<Row extends AnyRow>({ resource }: { resource: Resource<Row> }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button type="button" className="button button-small" onClick={() => setIsOpen(true)}>
        {resource.texts.create}
      </button>
      {isOpen && (
        <ResourceDialog
          resource={resource}
          subject={{ title: resource.texts.create, initial: resource.initial }}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  )
}

function ResourceRow<Row extends AnyRow>({ resource, row }: { resource: Resource<Row>; row: Row }) {
  const [isEditing, setIsEditing] = useState(false)
  const article = useRef<HTMLElement>(null)
  const queryClient = useQueryClient()
  const refresh = async () => queryClient.invalidateQueries({ queryKey: ['admin', resource.path] })
  const { name, details, comment } = resource.describe(row)
  const remove = () =>
    void runOrReport(async () => {
      await adminApi(resource.path, row.id).remove()
      focusNeighbour(article.current)
      showDecision({
        text: message('web.admin.deleted', { name }),
        undo: async () => {
          await adminApi(resource.path).create(resource.valuesOf(row))
          await refresh()
        },
      })
      await refresh()
    })
  return (
    <article ref={article} className={styles.row} tabIndex={0} aria-label={name}>
      <div className={styles.body}>
        <strong>
          <bdi>{name}</bdi>
        </strong>
        {details !== '' && <p>{details}</p>}
        {comment !== '' && (
          <p>
            <bdi>{comment}</bdi>
          </p>
        )}
        {row.createdAt !== undefined && (
          <p className={admin.soft}>
            <TimeAgo time={row.createdAt} />
          </p>
        )}
      </div>
      <p className={admin.actions}>
        {resource.isEditable && (
          <button
            type="button"
            className="button button-line button-small"
            aria-label={message('web.admin.edit-name', { name })}
            onClick={() => setIsEditing(true)}
          >
            {message('web.admin.edit')}
          </button>
        )}
        <button
          type="button"
          className="button button-line button-small"
          aria-label={message('web.admin.delete-name', { name })}
          onClick={remove}
        >
          {message('web.admin.delete')}
        </button>
      </p>
      {isEditing && <ResourceDialog resource={resource} subject={{ row }} onClose={() => setIsEditing(false)} />}
    </article>
  )
}
