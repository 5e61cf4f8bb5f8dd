import { Link } from '@tanstack/react-router'
import { memo, useContext } from 'react'
import type { SyntheticEvent } from 'react'
import { useEntity } from '../../../lib/store/use-entity.ts'
import { useRememberedState } from '../../../lib/store/use-remembered-state.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { Avatar } from '../../../ui/accounts/avatar.tsx'
import { FilteringContext, findFiltering } from '../content/filters.ts'
import { QuotedStatus } from '../content/quoted-status.tsx'
import { StatusActions } from '../actions/status-action-bar.tsx'
import { StatusBody } from '../content/status-body.tsx'
import { StatusHeader } from './status-header.tsx'
import { nameOf } from './status-name.ts'
import { BoostReason, ReplyReason } from './status-reason.tsx'
import { statusStore } from '../status-store.ts'
import type { StoredStatus } from '../status-store.ts'
import styles from './status-card.module.css'

/**
 * A status in a list. `id` may be that of a reblog, which shows the status that it reblogs.
 * @param showsReply whether a reply shows to whom it replies; false below that status, for example
 * @param describedBy the id of an element outside of it that says why it is shown
 */
export const StatusCard = memo(function StatusCard({
  id,
  position,
  showsReply = true,
  describedBy,
}: {
  id: string
  position?: number
  showsReply?: boolean
  describedBy?: string
}) {
  const outer = useEntity(statusStore, id)
  const inner = useEntity(statusStore, outer?.reblogId ?? id)
  const filtering = findFiltering(inner ?? {}, useContext(FilteringContext))
  const [isUnfiltered, setIsUnfiltered] = useRememberedState(`filter-${inner?.id ?? id}`, false)
  if (!outer || !inner || filtering?.action === 'hide') return null
  const isFiltered = filtering?.action === 'warn' && !isUnfiltered
  return (
    <article
      className={styles.card}
      tabIndex={0}
      aria-label={
        isFiltered
          ? message('web.filter.title', { name: filtering.titles })
          : nameOf(inner, outer.reblogId ? outer.account : null)
      }
      aria-describedby={describedBy}
      aria-posinset={position}
      aria-setsize={position === undefined ? undefined : -1}
      data-status={inner.id}
      lang={inner.language ?? undefined}
      onClick={(event) => {
        if (!isFiltered && isOnText(event)) openThread(event)
      }}
    >
      {isFiltered ? (
        <FilterNotice titles={filtering.titles} onShow={() => setIsUnfiltered(true)} />
      ) : (
        <>
          {outer.reblogId !== null && <BoostReason status={outer} />}
          {showsReply && <ReplyReason status={inner} />}
          <Content status={inner} blurredBy={filtering?.action === 'blur' ? filtering.titles : undefined} />
        </>
      )}
    </article>
  )
})

function Content({ status, blurredBy }: { status: StoredStatus; blurredBy: string | undefined }) {
  const { account, quote } = status
  return (
    <>
      <Link
        to="/@{$acct}"
        params={{ acct: account.acct }}
        className={styles.avatar}
        tabIndex={-1}
        aria-hidden="true"
        data-card={account.acct}
      >
        <Avatar account={account} />
      </Link>
      <StatusHeader status={status} />
      <div className={styles.body}>
        <StatusBody status={status} blurredBy={blurredBy}>
          {quote && <QuotedStatus quote={quote} />}
        </StatusBody>
        <StatusActions status={status} />
      </div>
    </>
  )
}

function FilterNotice({ titles, onShow }: { titles: string; onShow: () => void }) {
  return (
    <div className={styles.filtered}>
      <p>{message('web.filter.title', { name: titles })}</p>
      <button
        type="button"
        className="button button-small button-line"
        data-key="x o"
        onClick={({ currentTarget }) => {
          currentTarget.closest('article')?.focus()
          onShow()
        }}
      >
        {message('web.filter.show')}
      </button>
    </div>
  )
}

/** Presses the link to the thread. */
function openThread({ currentTarget }: SyntheticEvent<HTMLElement>): void {
  currentTarget.querySelector<HTMLElement>('[data-key="o"]')?.click()
}

/** Returns whether a click was neither on something that reacts to it, nor the end of a selection of text. */
function isOnText({ target, defaultPrevented }: SyntheticEvent): boolean {
  if (defaultPrevented || !(target instanceof Element) || getSelection()?.isCollapsed === false) return false
  return target.closest('a, button, input, label, summary, details, audio, video, [role=menu]') === null
}
