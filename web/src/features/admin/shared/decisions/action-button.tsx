import { useState } from 'react'
import { useAction } from './use-action.ts'
import type { Action } from './use-action.ts'

/** A small button that runs an action at once. */
export function ActionButton({
  label,
  name,
  action,
}: {
  label: string
  /** What the action is about, for screen readers. */
  name: string
  action: Action
}) {
  const [isBusy, setIsBusy] = useState(false)
  const act = useAction()
  const run = async () => {
    setIsBusy(true)
    await act(action)
    setIsBusy(false)
  }
  return (
    <button
      type="button"
      className="button button-line button-small"
      aria-label={`${label}: ${name}`}
      aria-disabled={isBusy}
      onClick={() => !isBusy && void run()}
    >
      {label}
    </button>
  )
}
