import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { AdminRole } from '../../../lib/api/admin-entities.ts'
import { formatNumber } from '../../../lib/i18n/formats.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { AdminDialog } from '../shared/decisions/admin-dialog.tsx'
import { runOrReport, showDecision } from '../shared/decisions/undo.ts'
import { focusNeighbour } from '../shared/list/focus-neighbour.ts'
import { QueryResult } from '../shared/list/query-result.tsx'
import { PermissionTable } from './permission-table.tsx'
import { GROUPED_PERMISSIONS, isAdministrator } from './permission-groups.ts'
import { RoleName } from './role-name.tsx'
import { BASE_ROLE, canDelete, canEdit, deleteRole, roleName, rolesQuery, useRoleRights } from './role-queries.ts'
import type { RoleRights } from './role-queries.ts'
import admin from '../shared/admin.module.css'
import row from '../shared/list/row.module.css'

/** All roles, the highest first, and a table that compares their permissions. */
export function RoleList() {
  const query = useQuery(rolesQuery)
  const rights = useRoleRights(query.data ?? [])
  return (
    <QueryResult query={query}>
      {(roles) => (
        <>
          {roles.map((role) => (
            <Role key={role.id} role={role} rights={rights} />
          ))}
          <section className={admin.part}>
            <h2>{message('web.admin.roles.permissions')}</h2>
            <PermissionTable roles={roles} />
          </section>
        </>
      )}
    </QueryResult>
  )
}

/** A link to the form of a new role. */
export function NewRoleLink() {
  return (
    <Link to="/admin/roles/$id" params={{ id: 'new' }} className="button button-small">
      {message('web.admin.roles.new')}
    </Link>
  )
}

function Role({ role, rights }: { role: AdminRole; rights: RoleRights | null }) {
  const [isDeleting, setIsDeleting] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const article = useRef<HTMLElement>(null)
  const queryClient = useQueryClient()
  const name = roleName(role)
  const remove = async () => {
    setIsBusy(true)
    await runOrReport(async () => {
      await deleteRole(role.id)
      setIsDeleting(false)
      focusNeighbour(article.current)
      showDecision({ text: message('web.admin.deleted', { name }), undo: null })
      await queryClient.invalidateQueries({ queryKey: ['admin'] })
    })
    setIsBusy(false)
  }
  return (
    <article ref={article} className={row.row} tabIndex={0} aria-label={name}>
      <div className={row.body}>
        <RoleName role={role} />
        <p className={admin.soft}>{factsOf(role).join(' · ')}</p>
      </div>
      <p className={admin.actions}>
        {canEdit(role, rights) && (
          <Link
            to="/admin/roles/$id"
            params={{ id: role.id }}
            className="button button-line button-small"
            aria-label={message('web.admin.edit-name', { name })}
          >
            {message('web.admin.edit')}
          </Link>
        )}
        {canDelete(role, rights) && (
          <button
            type="button"
            className="button button-line button-small"
            aria-label={message('web.admin.delete-name', { name })}
            onClick={() => setIsDeleting(true)}
          >
            {message('web.admin.delete')}
          </button>
        )}
      </p>
      {isDeleting && (
        <AdminDialog
          title={message('web.admin.roles.delete.title', { name })}
          confirm={message('web.admin.delete')}
          dangerous
          isBusy={isBusy}
          onConfirm={() => void remove()}
          onClose={() => setIsDeleting(false)}
        >
          <p>{message('web.admin.roles.delete.text')}</p>
        </AdminDialog>
      )}
    </article>
  )
}

/** What to say about a role beside its name. */
function factsOf({ id, permissions, position, highlighted, require_2fa: requires2fa }: AdminRole): string[] {
  const mask = BigInt(permissions)
  const count = GROUPED_PERMISSIONS.flatMap((group) => group.permissions).filter(
    ({ bit }) => (mask & bit) !== 0n,
  ).length
  return [
    ...(id === BASE_ROLE
      ? [message('web.admin.roles.everyone.text')]
      : [message('web.admin.roles.position-is', { position: formatNumber(position) })]),
    isAdministrator(mask) ? message('web.admin.roles.all-permissions') : message('web.admin.roles.count', { count }),
    ...(highlighted ? [message('web.admin.roles.has-badge')] : []),
    ...(requires2fa ? [message('web.admin.roles.requires-2fa')] : []),
  ]
}
