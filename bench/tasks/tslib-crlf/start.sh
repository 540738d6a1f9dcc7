# A fix in a project with CRLF: tslib's async generators wait for what return is given. tslib.es6.mjs has LF. Released as tslib 2.6.3.
npm pack --silent tslib@2.6.2
tar xzf tslib-2.6.2.tgz --strip-components 1
rm tslib-2.6.2.tgz
