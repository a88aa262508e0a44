<<<<<<<< HEAD:internal/web/dist/assets/Ago-CRziCvtR.js
import{I as e,L as t,M as n,P as r,R as i,Y as a,et as o,g as s,mt as c,pt as l,tt as u}from"./router.svelte-BGqmF7yB.js";import{L as d,N as f,S as p}from"./index-ChYsH-tm.js";var m=i(`<time class="num"> </time>`);function h(i,h){c(h,!0);var g=t(),_=o(g),v=t=>{var n=m(),i=u(n,!0);a((e,t)=>{s(n,`datetime`,h.time),s(n,`title`,e),r(i,t)},[()=>d(h.time),()=>f(h.time,p.now)]),e(t,n)};n(_,e=>{h.time&&e(v)}),e(i,g),l()}export{h as t};
========
import{I as e,L as t,M as n,P as r,R as i,Y as a,et as o,g as s,mt as c,pt as l,tt as u}from"./router.svelte-BGqmF7yB.js";import{I as d,M as f,x as p}from"./index-CEkAiqX9.js";var m=i(`<time class="num"> </time>`);function h(i,h){c(h,!0);var g=t(),_=o(g),v=t=>{var n=m(),i=u(n,!0);a((e,t)=>{s(n,`datetime`,h.time),s(n,`title`,e),r(i,t)},[()=>d(h.time),()=>f(h.time,p.now)]),e(t,n)};n(_,e=>{h.time&&e(v)}),e(i,g),l()}export{h as t};
>>>>>>>> webconv:internal/web/dist/assets/Ago-BGD5KPfa.js
