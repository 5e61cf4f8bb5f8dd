import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { AdminInvite } from '../../../lib/api/admin-entities.ts'
import { formatFullTime, formatNumber } from '../../../lib/i18n/formats.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { Icon } from '../../../ui/icons/icon.tsx'
import { showToast } from '../../../ui/notices/toasts.tsx'
import { AdminDialog } from '../shared/decisions/admin-dialog.tsx'
import { runOrReport, showDecision } from '../shared/decisions/undo.ts'
import { AccountLine } from '../shared/list/account-line.tsx'
import { AdminList } from '../shared/list/admin-list.tsx'
import { focusNeighbour } from '../shared/list/focus-neighbour.ts'
import { InviteDialog } from './invite-dialog.tsx'
import { expireAllInvites, expireInvite, INVITE_STATES, invitesQuery } from './invite-queries.ts'
import type { InviteState } from './invite-queries.ts'
import admin from '../shared/admin.module.css'
import row from '../shared/list/row.module.css'
import styles from './invites.module.css'

/** The invites of all users, the newest first. */
export function InviteList({ state }: { state: InviteState }) {
  const query = useInfiniteQuery(invitesQuery(state))
  const hasRows = query.data?.pages.some((rows) => rows.length > 0) ?? false
  return (
    <>
      <nav className={admin.tabs} aria-label={message('web.admin.filter')}>
        {INVITE_STATES.map((name) => (
          <Link key={name} to="/admin/invites" search={{ state: name }} aria-current={name === state}>
            {message(`web.admin.invites.${name}`)}
          </Link>
        ))}
      </nav>
      <AdminList query={query} empty={message('web.admin.invites.empty')}>
        {(invite) => <Invite invite={invite} isAvailable={state === 'available'} />}
      </AdminList>
      {state === 'available' && hasRows && <ExpireAll />}
    </>
  )
}

/** The button that opens the form of a new invite. */
export function NewInviteButton() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button type="button" className="button button-small" onClick={() => setIsOpen(true)}>
        {message('web.admin.invites.new')}
      </button>
      {isOpen && <InviteDialog onClose={() => setIsOpen(false)} />}
    </>
  )
}

function Invite({ invite, isAvailable }: { invite: AdminInvite; isAvailable: boolean }) {
  const article = useRef<HTMLElement>(null)
  const queryClient = useQueryClient()
  const { id, url, code, comment, account } = invite
  const name = comment === '' ? code : comment
  const expire = () =>
    void runOrReport(async () => {
      await expireInvite(id)
      focusNeighbour(article.current)
      showDecision({ text: message('web.admin.invites.expired-one', { name }), undo: null })
      await queryClient.invalidateQueries({ queryKey: ['admin', 'invites'] })
    })
  return (
    <article ref={article} className={row.row} tabIndex={0} aria-label={name}>
      <div className={row.body}>
        {comment !== '' && <strong dir="auto">{comment}</strong>}
        <bdi className={styles.url} dir="ltr">
          {url}
        </bdi>
        <p className={admin.soft}>{factsOf(invite).join(' · ')}</p>
        <AccountLine account={account} size="s" />
      </div>
      {isAvailable && (
        <p className={admin.actions}>
          <button
            type="button"
            className="button button-line button-small"
            aria-label={message('web.admin.invites.copy-name', { name })}
            onClick={() => void copy(url)}
          >
            <Icon name="copy" />
            {message('web.admin.invites.copy')}
          </button>
          <button
            type="button"
            className="button button-line button-small"
            aria-label={message('web.admin.invites.expire-name', { name })}
            onClick={expire}
          >
            {message('web.admin.invites.expire')}
          </button>
        </p>
      )}
    </article>
  )
}

function factsOf({ uses, maxUses, expiresAt, autofollow }: AdminInvite): string[] {
  const count = formatNumber(uses)
  const isPast = expiresAt !== null && new Date(expiresAt) <= new Date()
  return [
    maxUses === null
      ? message('web.admin.invites.uses', { count: uses })
      : message('web.admin.invites.uses-of', { count, limit: formatNumber(maxUses) }),
    expiresAt === null
      ? message('web.admin.invites.no-expiry')
      : message(isPast ? 'web.admin.invites.expired-at' : 'web.admin.invites.expires-at', {
          time: formatFullTime(new Date(expiresAt)),
        }),
    ...(autofollow ? [message('web.admin.invites.autofollow-on')] : []),
  ]
}

async function copy(url: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(url)
    showToast({ kind: 'good', text: message('web.menu.link-copied') })
  } catch {
    showToast({ kind: 'alert', text: message('web.menu.copy-failed', { url }) })
  }
}

/** Lets all invites expire after a question. */
function ExpireAll() {
  const [isAsking, setIsAsking] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const queryClient = useQueryClient()
  const expireAll = async () => {
    setIsBusy(true)
    await runOrReport(async () => {
      await expireAllInvites()
      setIsAsking(false)
      document.querySelector<HTMLElement>('main h1')?.focus()
      showDecision({ text: message('web.admin.invites.expired-all'), undo: null })
      await queryClient.invalidateQueries({ queryKey: ['admin', 'invites'] })
    })
    setIsBusy(false)
  }
  return (
    <div className={admin.part}>
      <p>
        <button type="button" className="button button-line" onClick={() => setIsAsking(true)}>
          {message('web.admin.invites.expire-all')}
        </button>
      </p>
      {isAsking && (
        <AdminDialog
          title={message('web.admin.invites.expire-all.title')}
          confirm={message('web.admin.invites.expire-all')}
          dangerous
          isBusy={isBusy}
          onConfirm={() => void expireAll()}
          onClose={() => setIsAsking(false)}
        >
          <p>{message('web.admin.invites.expire-all.text')}</p>
        </AdminDialog>
      )}
    </div>
  )
}
