// Plays the conversation on its time axis. Waits are cut to a few seconds.
(() => {
  const bar = document.getElementById('replay');
  const parts = [...document.querySelectorAll('main > .part, main > .work, main > .cut')];
  if (!bar || parts.length === 0) return;
  bar.hidden = false;
  const button = bar.querySelector('button');
  const slider = bar.querySelector('input');
  const speed = bar.querySelector('select');
  const clock = bar.querySelector('output');
  const longest = 4; // seconds between two parts

  // When each part is due, in seconds of the replay.
  const due = [];
  let last = 0;
  let now = 0;
  for (const part of parts) {
    const time = Number(part.dataset.at || last);
    now += Math.min(Math.max(time - last, 0.3), longest);
    last = Math.max(time, last);
    due.push(now);
  }
  slider.max = String(now);
  slider.value = String(now);

  let position = now;
  let playing = false;
  let before = 0;

  const show = (follow) => {
    let newest = null;
    parts.forEach((part, i) => {
      part.hidden = due[i] > position;
      if (!part.hidden) newest = part;
    });
    slider.value = String(position);
    clock.value = newest?.querySelector('time')?.textContent ?? '';
    if (follow) newest?.scrollIntoView({ block: 'end' });
  };

  const frame = (time) => {
    if (!playing) return;
    const from = position;
    position = Math.min(position + ((time - before) / 1000) * Number(speed.value), now);
    before = time;
    show(due.some((at) => at > from && at <= position));
    if (position >= now) stop();
    else requestAnimationFrame(frame);
  };

  const stop = () => {
    playing = false;
    button.textContent = 'Play';
  };

  button.addEventListener('click', () => {
    if (playing) return stop();
    if (position >= now) position = 0;
    playing = true;
    button.textContent = 'Pause';
    requestAnimationFrame((time) => {
      before = time;
      frame(time);
    });
  });
  slider.addEventListener('input', () => {
    position = Number(slider.value);
    show(true);
  });
})();
