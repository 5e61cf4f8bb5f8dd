import styles from './state-mark.module.css'

/** A short state of a row. */
export function StateMark({ tone, children }: { tone: 'good' | 'alert' | 'plain'; children: string }) {
  return <span className={`${styles.mark} ${styles[tone]}`}>{children}</span>
}
