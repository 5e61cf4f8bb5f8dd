import { useEffect, useState, useSyncExternalStore } from 'react'
import { message } from '../../../../lib/i18n/messages.ts'
import { Icon } from '../../../../ui/icons/icon.tsx'
import { hideDecision, latestDecision, subscribeToDecisions, undoDecision } from './undo.ts'
import type { Decision } from './undo.ts'
import admin from '../admin.module.css'
import styles from './undo-bar.module.css'

const SECONDS = 10

/** The latest decision, for ten seconds; longer while the pointer or the focus is on it. */
export function UndoBar() {
  const decision = useSyncExternalStore(subscribeToDecisions, latestDecision)
  return decision && <DecisionLine key={decision.text} decision={decision} />
}

function DecisionLine({ decision }: { decision: Decision }) {
  const [isHeld, setIsHeld] = useState(false)
  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(hideDecision, SECONDS * 1000)
    return () => clearTimeout(timer)
  }, [decision, isHeld])
  return (
    <div
      className={styles.bar}
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
    >
      <Icon name="check" />
      <p>{decision.text}</p>
      {decision.undo && (
        <button
          type="button"
          className="button button-line button-small"
          data-key="z"
          onClick={() => void undoDecision(decision)}
        >
          {message('web.admin.undo')} <kbd className={admin.key}>z</kbd>
        </button>
      )}
    </div>
  )
}
