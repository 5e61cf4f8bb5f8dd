/** A result of a check. An `error` must be fixed, a `warning` may be intended. */
export interface Finding {
  kind: 'ok' | 'warning' | 'error'
  text: string
  /** How to fix it. */
  remedy?: string
}

export function ok(text: string): Finding {
  return { kind: 'ok', text }
}

export function warning(text: string, remedy: string): Finding {
  return { kind: 'warning', text, remedy }
}

export function problem(text: string, remedy: string): Finding {
  return { kind: 'error', text, remedy }
}

/** Returns the message of an error in one line. */
export function errorMessageOf(err: unknown): string {
  const { message, code } = err as { message?: string; code?: string }
  return (message || code || String(err)).split('\n')[0] ?? ''
}
