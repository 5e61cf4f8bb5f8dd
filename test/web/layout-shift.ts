/**
 * A script that sums the layout shifts of a page in `window.shift`. It stops the animations: that of a page whose rest
 * appears after a second in any case would otherwise run on a slow machine before the rest is complete.
 */
export const MEASURE_SHIFT = `
  window.shift = 0
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) window.shift += value
  }).observe({ type: 'layout-shift', buffered: true })
  const pauseAll = () => {
    for (const animation of document.getAnimations()) animation.pause()
    requestAnimationFrame(pauseAll)
  }
  pauseAll()`
