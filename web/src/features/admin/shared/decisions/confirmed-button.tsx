import { useState } from 'react'
import { message } from '../../../../lib/i18n/messages.ts'
import { AdminDialog } from './admin-dialog.tsx'
import { useAction } from './use-action.ts'
import type { Action } from './use-action.ts'

/** A small button that asks before it runs an action. */
export function ConfirmedButton({
  label,
  name,
  title,
  text = message('web.admin.impact.final'),
  dangerous = true,
  action,
}: {
  label: string
  /** What the action is about, for screen readers. */
  name: string
  /** The question. */
  title: string
  /** What the action means. */
  text?: string
  dangerous?: boolean
  action: Action
}) {
  const [isOpen, setIsOpen] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const act = useAction()
  const confirm = async () => {
    setIsBusy(true)
    const after = () => {
      setIsOpen(false)
      action.after?.()
    }
    await act({ ...action, after })
    setIsBusy(false)
  }
  return (
    <>
      <button
        type="button"
        className="button button-line button-small"
        aria-label={`${label}: ${name}`}
        onClick={() => setIsOpen(true)}
      >
        {label}
      </button>
      {isOpen && (
        <AdminDialog
          title={title}
          confirm={label}
          dangerous={dangerous}
          isBusy={isBusy}
          onConfirm={() => void confirm()}
          onClose={() => setIsOpen(false)}
        >
          <p>{text}</p>
        </AdminDialog>
      )}
    </>
  )
}
