import { useSyncExternalStore } from 'react'
import { message } from '../../lib/i18n/messages.ts'
import { Icon } from '../icons/icon.tsx'
import styles from './toasts.module.css'

/** A short message at the edge of the window. */
export interface Toast {
  text: string
  kind: 'good' | 'alert'
  /** What the user can do about it, for example undo or try again. */
  action?: { label: string; run: () => void }
}

const SECONDS = 8

let toasts: readonly (Toast & { id: number })[] = []
let lastId = 0
const listeners = new Set<() => void>()

function set(next: typeof toasts): void {
  toasts = next
  for (const listener of listeners) listener()
}

function remove(id: number): void {
  set(toasts.filter((toast) => toast.id !== id))
}

/** Shows a message. Errors stay until the user closes them, so that slow readers miss none (WCAG 2.2.1). */
export function showToast(toast: Toast): void {
  lastId += 1
  const id = lastId
  set([...toasts.slice(-2), { ...toast, id }])
  if (toast.kind === 'good') setTimeout(() => remove(id), SECONDS * 1000)
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Where messages appear. */
export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts)
  return (
    <div className={styles.toasts}>
      {shown.map(({ id, text, kind, action }) => (
        <div key={id} className={styles.toast} role={kind === 'alert' ? 'alert' : 'status'}>
          <Icon name={kind === 'alert' ? 'warning' : 'check'} />
          <p>{text}</p>
          {action && (
            <button
              type="button"
              className={styles.action}
              onClick={() => {
                remove(id)
                action.run()
              }}
            >
              {action.label}
            </button>
          )}
          <button type="button" className={styles.close} aria-label={message('web.close')} onClick={() => remove(id)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  )
}
